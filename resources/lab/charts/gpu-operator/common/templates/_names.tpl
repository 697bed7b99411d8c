{{- define "gpu-operator.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/component: gpu-operator
{{- end }}

{{- define "gpu-operator.image" -}}
{{ .Values.operator.repository }}/{{ .Values.operator.image }}:{{ .Values.operator.version | default .Chart.AppVersion }}
{{- end }}

{{- /* The fields of one part of the stack that values and ClusterPolicy name alike: those that are given. */ -}}
{{- define "gpu-operator.part" -}}
{{- $part := .part }}
{{- range $key := list "enabled" "repository" "image" "imagePullPolicy" }}
{{- if hasKey $part $key }}
{{ $key }}: {{ get $part $key | toJson }}
{{- end }}
{{- end }}
{{- with $part.version | default .version }}
version: {{ . | quote }}
{{- end }}
{{- range $key := list "annotations" "imagePullSecrets" "args" "env" "resources" "startupProbe" "livenessProbe" "readinessProbe" }}
{{- with get $part $key }}
{{ $key }}: {{ . | toJson }}
{{- end }}
{{- end }}
{{- range $key := list "hostNetwork" "hostPID" }}
{{- if get $part $key }}
{{ $key }}: true
{{- end }}
{{- end }}
{{- end }}

{{- define "gpu-operator.upgradePolicy" -}}
autoUpgrade: {{ .autoUpgrade | default false }}
maxParallelUpgrades: {{ .maxParallelUpgrades | default 0 }}
maxUnavailable: {{ .maxUnavailable | default "25%" }}
{{- with .waitForCompletion }}
waitForCompletion: {{ toJson . }}
{{- end }}
{{- with .gpuPodDeletion }}
podDeletion: {{ toJson . }}
{{- end }}
{{- with .drain }}
drain: {{ toJson . }}
{{- end }}
{{- end }}

{{- /* The files of the operator's image that hold the chart's definitions. */ -}}
{{- define "gpu-operator.definitions" -}}
{{- $files := list "nvidia.com_clusterpolicies.yaml" "nvidia.com_nvidiadrivers.yaml" }}
{{- if hasKey .Values "gpuCluster" }}
{{- $files = append $files "nvidia.com_gpuclusters.yaml" }}
{{- end }}
{{- if .Values.nfd.enabled }}
{{- $files = append $files "nfd-api-crds.yaml" }}
{{- end }}
{{- toJson $files }}
{{- end }}
