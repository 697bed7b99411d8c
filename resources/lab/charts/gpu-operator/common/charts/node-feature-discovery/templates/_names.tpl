{{- define "nfd.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{ .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{ .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}
{{- end -}}
{{- end -}}
{{- end }}
{{- define "nfd.namespace" -}}
{{ default .Release.Namespace .Values.namespaceOverride }}
{{- end }}
{{- define "nfd.selector" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "nfd.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{ include "nfd.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "nfd.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- /* dict "top" $ "part" .Values.gc "role" "gc" */ -}}
{{- define "nfd.account" -}}
{{ .part.serviceAccount.name | default (printf "%s-%s" (include "nfd.fullname" .top) .role) }}
{{- end }}
{{- define "nfd.pod" -}}
{{- $priority := .part.priorityClassName | default .top.Values.priorityClassName }}
serviceAccountName: {{ include "nfd.account" . }}
{{- with $priority }}
priorityClassName: {{ . }}
{{- end }}
{{- with .top.Values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
{{- with .part.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .part.affinity }}
affinity: {{ toJson . }}
{{- end }}
{{- with .part.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- end }}
{{- define "nfd.container" -}}
image: {{ include "nfd.image" .top }}
imagePullPolicy: {{ .top.Values.image.pullPolicy }}
ports:
  - {name: http, containerPort: 8080}
livenessProbe:
  httpGet: {path: /healthz, port: http}
readinessProbe:
  httpGet: {path: /healthz, port: http}
  failureThreshold: 10
env:
  - name: NODE_NAME
    valueFrom: {fieldRef: {fieldPath: spec.nodeName}}
resources: {{ toJson .part.resources }}
securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, readOnlyRootFilesystem: true, runAsNonRoot: true}
{{- end }}
