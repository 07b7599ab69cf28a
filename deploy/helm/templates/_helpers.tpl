{{/* The name of everything: that of the release, with the chart's unless it is in it. */}}
{{- define "intake.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "intake.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "intake.labels" -}}
{{ include "intake.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "intake.image" -}}
{{- $repository := required "image.repository is needed: where the image is, such as ghcr.io/OWNER/REPOSITORY" .Values.image.repository -}}
{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{- define "intake.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (ternary (include "intake.name" .) "default" .Values.serviceAccount.create) }}
{{- end }}

{{/* True where files are embedded, and have an address of their own. */}}
{{- define "intake.embedsFiles" -}}
{{- if and (eq .Values.mode "embedded") (not .Values.settings.S3_BUCKET) }}yes{{ end }}
{{- end }}

{{- define "intake.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "intake.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}
