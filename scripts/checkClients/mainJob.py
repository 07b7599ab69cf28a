"""The main job with the client of openapi-python-client."""

import json
import os
import time

import httpx
from intake_client import AuthenticatedClient
from intake_client.api.sessions import create_session, get_job, submit_session
from intake_client.api.submissions import list_submissions
from intake_client.models.declared_file import DeclaredFile
from intake_client.models.job import Job
from intake_client.models.job_state import JobState
from intake_client.models.no_members import NoMembers
from intake_client.models.session_created import SessionCreated
from intake_client.models.session_request import SessionRequest
from intake_client.models.submission_page import SubmissionPage

content = json.dumps({"company": "ACME", "date": "2026-11-21", "total": 80.9}).encode()
client = AuthenticatedClient(base_url=os.environ["INTAKE_URL"], token=os.environ["INTAKE_KEY"])
with client:
    file = DeclaredFile(mime_type="application/json", file_size=len(content), file_name="receipt.json")
    session = create_session.sync(slug="receipt", client=client, body=SessionRequest(files=[file]))
    assert isinstance(session, SessionCreated), session
    for upload in session.uploads:
        headers = upload.headers.additional_properties
        assert upload.url, upload
        httpx.request(upload.method.value, upload.url, headers=headers, content=content).raise_for_status()
    submitted = submit_session.sync(
        slug="receipt", session_id=session.session_id, client=client, body=NoMembers()
    )
    assert isinstance(submitted, Job), submitted
    job = submitted
    while job.state in (JobState.PENDING, JobState.QUEUED, JobState.PROCESSING):
        time.sleep(0.1)
        polled = get_job.sync(session_id=session.session_id, client=client)
        assert isinstance(polled, Job), polled
        job = polled
    assert job.submission_status == "approved" and job.result, job
    assert job.result.fields["total"].value == 80.9, job.result
    page = list_submissions.sync(client=client)
    assert isinstance(page, SubmissionPage), page
    assert session.submission_id in [row.id for row in page.data], page
    missing = get_job.sync(session_id="ses_01hv6x3m8q2r5t7w9y0a1b2c3d", client=client)
    assert getattr(missing, "code", None) == "not-found", missing
