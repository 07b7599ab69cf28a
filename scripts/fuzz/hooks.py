"""What schemathesis sends, made likely to hit: real identifiers, keys of every kind, no address outside this machine.

Loaded by schemathesis (SCHEMATHESIS_HOOKS). FUZZ_WORLD names a JSON file: what there is to hit, and where to count.
"""

import atexit
import json
import os
import random
import threading

import schemathesis

with open(os.environ["FUZZ_WORLD"], encoding="utf-8") as file:
    WORLD = json.load(file)

CHOICE = random.Random(WORLD["seed"])
KNOWN = WORLD["ids"]
LOCK = threading.Lock()
COUNTS = {"requests": 0, "statuses": {}}
# How many of the newest identifiers of a kind are asked for again.
REMEMBERED = 60


def authorization(case):
    """Mostly the key or token that the operation asks for, now and then another one, or none."""
    wanted = case.operation.definition.raw.get("security", [])
    if not wanted:
        return None
    # All of a person's sessions end there: the others must mostly be left.
    if case.operation.path.endswith("/end-all") and CHOICE.random() < 0.95:
        return None
    schemes = [name for each in wanted for name in each]
    kinds = WORLD["keys"] if "apiKey" in schemes else WORLD["tokens"]
    # People call most of what keys do.
    if "sessionToken" in schemes and CHOICE.random() < 0.3:
        kinds = WORLD["tokens"]
    if not kinds:
        return None
    if CHOICE.random() < 0.9:
        # Newer tokens come of log-ins, and log-outs end them.
        return kinds[0] if kinds is WORLD["keys"] else CHOICE.choice(kinds)
    return CHOICE.choice(WORLD["keys"] + WORLD["tokens"] + [None])


def remember(value):
    """Takes note of every identifier in an answer."""
    if isinstance(value, list):
        for each in value:
            remember(each)
    if not isinstance(value, dict):
        return
    for name, each in value.items():
        if name == "sessionId" and isinstance(each, str) and each.startswith("lgn_"):
            KNOWN["logInId"] = (KNOWN["logInId"] + [each])[-REMEMBERED:]
        elif name in KNOWN and isinstance(each, str) and each not in KNOWN[name]:
            KNOWN[name] = (KNOWN[name] + [each])[-REMEMBERED:]
        elif name == "token" and isinstance(each, str) and each.startswith("ast_"):
            WORLD["tokens"] = (WORLD["tokens"] + [each])[-6:]
        elif name == "id" and isinstance(each, str) and each.startswith("fm_") and each not in KNOWN["matchId"]:
            KNOWN["matchId"] = (KNOWN["matchId"] + [each])[-REMEMBERED:]
        else:
            remember(each)


@schemathesis.hook
def before_call(context, case, kwargs):
    with LOCK:
        for name in case.path_parameters or {}:
            # What is cancelled can't be decided any more.
            often = 0.2 if case.operation.path.endswith("/cancel") else 0.8
            kind = "logInId" if case.operation.path.startswith("/api/auth/") else name
            if KNOWN.get(kind) and CHOICE.random() < often:
                case.path_parameters[name] = CHOICE.choice(KNOWN[kind])
        # An invented revision is stale, and would end most decisions there.
        if case.headers.get("If-Match") and CHOICE.random() < 0.8:
            del case.headers["If-Match"]
        # Fields that the workflow does not have are refused.
        if isinstance(case.body, dict) and "corrections" in case.body and CHOICE.random() < 0.5:
            del case.body["corrections"]
        if isinstance(case.body, dict) and str(case.body.get("webhookUrl", "")).lower().startswith("http"):
            case.body["webhookUrl"] = WORLD["webhookUrl"]
        if case.operation.path == "/api/auth/sessions" and isinstance(case.body, dict) and CHOICE.random() < 0.3:
            case.body = dict(WORLD["credentials"])
        if isinstance(case.body, dict) and "token" in case.body and CHOICE.random() < 0.3:
            case.body["token"] = CHOICE.choice(WORLD["invitations"])
        if case.query.get("token") and CHOICE.random() < 0.3:
            case.query["token"] = CHOICE.choice(WORLD["invitations"])
        key = authorization(case)
        if key is not None:
            case.headers["Authorization"] = f"Bearer {key}"
            if key.startswith("ast_") and CHOICE.random() < 0.9:
                case.headers["Intake-Company"] = WORLD["companyId"]
                case.headers["Intake-Mode"] = "live"


@schemathesis.hook
def after_call(context, case, response):
    with LOCK:
        COUNTS["requests"] += 1
        status = f"{case.operation.method.upper()} {case.operation.path} {response.status_code}"
        COUNTS["statuses"][status] = COUNTS["statuses"].get(status, 0) + 1
        if response.status_code < 300 and "json" in str(response.headers.get("content-type")):
            if not case.operation.path.endswith(".json"):
                remember(response.json())
        if COUNTS["requests"] % 50 == 0:
            write_counts()


def write_counts():
    with open(WORLD["counts"], "w", encoding="utf-8") as file:
        json.dump(COUNTS, file)


atexit.register(write_counts)
