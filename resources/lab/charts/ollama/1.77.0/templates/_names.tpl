{{- define "ollama.fullname" -}}
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
{{- define "ollama.namespace" -}}
{{ default .Release.Namespace .Values.namespaceOverride }}
{{- end }}
{{- define "ollama.selector" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "ollama.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "ollama.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "ollama.account" -}}
{{- if .Values.serviceAccount.create -}}
{{ default (include "ollama.fullname" .) .Values.serviceAccount.name }}
{{- else -}}
{{ default "default" .Values.serviceAccount.name }}
{{- end -}}
{{- end }}
{{- define "ollama.tag" -}}
{{- if .Values.image.tag -}}
{{ .Values.image.tag }}
{{- else if and .Values.ollama.gpu.enabled (eq .Values.ollama.gpu.type "amd") -}}
{{ .Chart.AppVersion }}-rocm
{{- else -}}
{{ .Chart.AppVersion }}
{{- end -}}
{{- end }}
{{- /* The limits that a card adds to those given. */ -}}
{{- define "ollama.limits" -}}
{{- $gpu := .Values.ollama.gpu }}
{{- $cards := dict }}
{{- if and $gpu.enabled (not $gpu.draEnabled) }}
{{- if eq $gpu.type "amd" }}
{{- $_ := set $cards "amd.com/gpu" ($gpu.number | default 1) }}
{{- else if $gpu.mig.enabled }}
{{- range $name, $number := $gpu.mig.devices }}
{{- $_ := set $cards (printf "nvidia.com/mig-%s" $name) $number }}
{{- end }}
{{- else }}
{{- $_ := set $cards $gpu.nvidiaResource ($gpu.number | default 1) }}
{{- end }}
{{- end }}
{{- toJson (merge $cards (.Values.resources.limits | default dict)) }}
{{- end }}
{{- define "ollama.tolerations" -}}
{{- $own := list }}
{{- $gpu := .Values.ollama.gpu }}
{{- if and $gpu.enabled (not $gpu.draEnabled) }}
{{- $key := ternary "amd.com/gpu" $gpu.nvidiaResource (eq $gpu.type "amd") }}
{{- $own = append $own (dict "key" $key "operator" "Exists" "effect" "NoSchedule") }}
{{- end }}
{{- toJson (concat $own (.Values.tolerations | default list)) }}
{{- end }}
{{- define "ollama.start" -}}
{{- $commands := list "while ! /bin/ollama ps > /dev/null 2>&1; do sleep 5; done" }}
{{- range .Values.ollama.models.pull }}
{{- $commands = append $commands (printf "/bin/ollama pull %s%s" (ternary "--insecure " "" $.Values.ollama.insecure) .) }}
{{- end }}
{{- range .Values.ollama.models.create }}
{{- if .template }}
{{- $commands = append $commands (printf "cat <<'EOF' | /bin/ollama create %s -f -\n%s\nEOF" .name .template) }}
{{- else }}
{{- $commands = append $commands (printf "/bin/ollama create %s -f /models/%s" .name .name) }}
{{- end }}
{{- end }}
{{- range .Values.ollama.models.run }}
{{- $commands = append $commands (printf "/bin/ollama run %s" .) }}
{{- end }}
{{- join "\n" $commands }}
{{- end }}
