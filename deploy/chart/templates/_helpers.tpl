{{- define "belljar.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "belljar.labels" -}}
app.kubernetes.io/name: belljar
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "belljar.planeSelector" -}}
app.kubernetes.io/name: belljar
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: plane
{{- end }}

{{- define "belljar.boxNamespace" -}}
{{ .Values.boxes.namespace | default .Release.Namespace }}
{{- end }}

{{- define "belljar.claim" -}}
{{ .Values.volume.existingClaim | default (printf "%s-state" .Release.Name) }}
{{- end }}

{{- define "belljar.arguments" -}}
- serve
- --host=0.0.0.0
- --port=2468
- --state-dir=/var/lib/belljar
- --master-key-file=/run/belljar/master/key
- --host-name=$(POD_NAME)
- --pool-size={{ .Values.pool.size }}
{{- with .Values.publicUrl }}
- --public-url={{ . }}
{{- end }}
{{- range .Values.ingress.trustedProxies }}
- --trusted-proxy={{ . }}
{{- end }}
{{- with .Values.artifacts.url }}
- --artifacts={{ . }}
{{- end }}
{{- with .Values.artifacts.endpoint }}
- --artifacts-endpoint={{ . }}
{{- end }}
{{- with .Values.artifacts.region }}
- --artifacts-region={{ . }}
{{- end }}
{{- end }}

{{- define "belljar.kubernetesArguments" -}}
- --launcher=kubernetes
- --keep-sessions
- --kubernetes-namespace={{ include "belljar.boxNamespace" . }}
- --kubernetes-image={{ include "belljar.image" . }}
- --kubernetes-pull-policy={{ .Values.image.pullPolicy }}
- --kubernetes-service-account={{ .Release.Name }}-box
- --kubernetes-seccomp={{ .Values.boxes.seccompProfile }}
{{- range .Values.image.pullSecrets }}
- --kubernetes-pull-secret={{ . }}
{{- end }}
{{- with .Values.boxes.appArmorProfile }}
- --kubernetes-apparmor={{ . }}
{{- end }}
{{- with .Values.boxes.runtimeClassName }}
- --kubernetes-runtime-class={{ . }}
{{- end }}
{{- with .Values.boxes.priorityClassName }}
- --kubernetes-priority-class={{ . }}
{{- end }}
{{- range $name, $quantity := .Values.boxes.requests }}
- --kubernetes-request={{ $name }}={{ $quantity }}
{{- end }}
{{- range $key, $value := .Values.boxes.nodeSelector }}
- --kubernetes-node-selector={{ $key }}={{ $value }}
{{- end }}
{{- range .Values.boxes.tolerations }}
- --kubernetes-toleration={{ . }}
{{- end }}
{{- if not .Values.boxes.userNamespaces }}
- --kubernetes-host-users
{{- end }}
{{- if .Values.volume.enabled }}
- --kubernetes-volume={{ include "belljar.claim" . }}
{{- end }}
{{- end }}

{{- define "belljar.environment" -}}
- name: POD_NAME
  valueFrom: {fieldRef: {fieldPath: metadata.name}}
- name: POD_IP
  valueFrom: {fieldRef: {fieldPath: status.podIP}}
- name: HOME
  value: /tmp
- name: BELLJAR_DATABASE_URL
  valueFrom:
    secretKeyRef: {name: {{ .Values.database.secretName }}, key: {{ .Values.database.secretKey }}}
{{- with .Values.artifacts.secretName }}
{{- range $name := list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: {name: {{ $.Values.artifacts.secretName }}, key: {{ $name }}}
{{- end }}
{{- end }}
{{- end }}

{{- /* What a Secret's volume gives can be read by a group, which a control plane refuses of its master key. */}}
{{- define "belljar.masterKey" -}}
- name: master-key
  image: {{ include "belljar.image" . }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  command: [install, -m, "600", /run/secret/key, /run/belljar/master/key]
  securityContext: {{ include "belljar.narrow" . | nindent 4 }}
  volumeMounts:
    - {name: master-key, mountPath: /run/secret, readOnly: true}
    - {name: master, mountPath: /run/belljar/master}
{{- end }}

{{- define "belljar.masterVolumes" -}}
- name: master-key
  secret:
    secretName: {{ .Values.masterKey.secretName }}
    items: [{key: {{ .Values.masterKey.secretKey }}, path: key}]
- name: master
  emptyDir: {medium: Memory, sizeLimit: 1Mi}
- name: tmp
  emptyDir: {sizeLimit: 1Gi}
{{- end }}

{{- define "belljar.narrow" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- define "belljar.probes" -}}
readinessProbe:
  httpGet: {path: /readyz, port: http}
  periodSeconds: 5
  timeoutSeconds: 5
livenessProbe:
  httpGet: {path: /healthz, port: http}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}
