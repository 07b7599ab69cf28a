{{/* The template of a pod. Takes: root (the chart's scope), role, and node (resources and temporary of the role). */}}
{{- define "intake.pod" -}}
{{- $values := .root.Values -}}
{{- $embedded := eq $values.mode "embedded" -}}
metadata:
  annotations:
    checksum/settings: {{ $values.settings | toJson | sha256sum }}
    {{- with $values.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
  labels:
    {{- include "intake.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
    {{- if has .role (list "all" "api") }}
    intake/serves: api
    {{- end }}
    {{- with $values.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  serviceAccountName: {{ include "intake.serviceAccount" .root }}
  automountServiceAccountToken: false
  # Variables that tell of other Services could be taken for settings.
  enableServiceLinks: false
  # The pause before SIGTERM, and the 10 s in which a node ends whatever hangs.
  terminationGracePeriodSeconds: 20
  securityContext: {{- include "intake.podSecurity" .root | nindent 4 }}
  {{- with $values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: intake
      image: {{ include "intake.image" .root | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args: [serve{{ if ne .role "all" }}, --roles, {{ .role }}{{ end }}]
      envFrom:
        - configMapRef: { name: {{ include "intake.name" .root }} }
        {{- with $values.existingSecret }}
        - secretRef: { name: {{ . }} }
        {{- end }}
      ports:
        - { name: http, containerPort: 3000 }
        {{- if include "intake.embedsFiles" .root }}
        - { name: storage, containerPort: 3001 }
        {{- end }}
      {{- range $kind, $probe := $values.probes }}
      {{ $kind }}Probe:
        httpGet: { path: {{ $probe.path }}, port: http }
        {{- omit $probe "path" | toYaml | nindent 8 }}
      {{- end }}
      lifecycle:
        # Until balancers have heard that the pod ends.
        preStop: { exec: { command: [sleep, "5"] } }
      resources: {{- toYaml .node.resources | nindent 8 }}
      securityContext: {{- include "intake.containerSecurity" .root | nindent 8 }}
      volumeMounts:
        - { name: temporary, mountPath: /tmp }
        {{- if $embedded }}
        - { name: data, mountPath: /data }
        {{- end }}
        {{- if $values.certificates }}
        - { name: certificates, mountPath: /certificates, readOnly: true }
        {{- end }}
  volumes:
    - name: temporary
      emptyDir: { sizeLimit: {{ .node.temporary }} }
    {{- with $values.certificates }}
    - name: certificates
      configMap: { name: {{ . }} }
    {{- end }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "intake.selector" .root | nindent 10 }}
          app.kubernetes.io/component: {{ .role }}
  {{- range $name := list "nodeSelector" "tolerations" "affinity" }}
  {{- with get $values $name }}
  {{ $name }}: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
{{- end }}
