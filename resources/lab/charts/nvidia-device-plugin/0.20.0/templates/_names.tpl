{{- define "plugin.name" -}}
{{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- define "plugin.fullname" -}}
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
{{- define "plugin.namespace" -}}
{{ default .Release.Namespace .Values.namespaceOverride }}
{{- end }}
{{- define "plugin.selector" -}}
{{- if .Values.selectorLabelsOverride -}}
{{ toYaml .Values.selectorLabelsOverride }}
{{- else -}}
app.kubernetes.io/name: {{ include "plugin.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
{{- end }}
{{- define "plugin.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "plugin.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "plugin.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default (printf "v%s" .Chart.AppVersion) }}
{{- end }}
{{- define "plugin.config" -}}
{{- if .Values.config.map -}}
{{ include "plugin.fullname" . }}-configs
{{- else -}}
{{ .Values.config.name }}
{{- end -}}
{{- end }}
{{- define "plugin.env" -}}
{{- $settings := dict "MIG_STRATEGY" .Values.migStrategy "FAIL_ON_INIT_ERROR" .Values.failOnInitError "DEVICE_LIST_STRATEGY" .Values.deviceListStrategy "DEVICE_ID_STRATEGY" .Values.deviceIDStrategy "NVIDIA_DRIVER_ROOT" .Values.nvidiaDriverRoot "GDRCOPY_ENABLED" .Values.gdrcopyEnabled "GDS_ENABLED" .Values.gdsEnabled "MOFED_ENABLED" .Values.mofedEnabled "DEVICE_DISCOVERY_STRATEGY" .Values.deviceDiscoveryStrategy "NVIDIA_CDI_HOOK_PATH" .Values.cdi.nvidiaHookPath "CDI_FEATURE_FLAGS" .Values.cdi.featureFlags }}
{{- range $name, $value := $settings }}
{{- if not (kindIs "invalid" $value) }}
- {name: {{ $name }}, value: {{ $value | toString | quote }}}
{{- end }}
{{- end }}
{{- if include "plugin.config" . }}
- {name: CONFIG_FILE, value: /config/config.yaml}
{{- end }}
- {name: NVIDIA_VISIBLE_DEVICES, value: all}
- {name: NVIDIA_DRIVER_CAPABILITIES, value: "compute,utility"}
- name: NODE_NAME
  valueFrom: {fieldRef: {fieldPath: spec.nodeName}}
{{- end }}
{{- /* What chooses the configuration of a node by its label: dict "top" $ "name" container */ -}}
{{- define "plugin.manager" -}}
- name: {{ .name }}
  image: {{ include "plugin.image" .top }}
  imagePullPolicy: {{ .top.Values.image.pullPolicy }}
  command: [config-manager]
  env:
    - {name: ONESHOT, value: {{ if hasSuffix "-init" .name }}"true"{{ else }}"false"{{ end }}}
    - {name: KUBECONFIG, value: ""}
    - name: NODE_NAME
      valueFrom: {fieldRef: {fieldPath: spec.nodeName}}
    - {name: NODE_LABEL, value: nvidia.com/device-plugin.config}
    - {name: CONFIG_FILE_SRCDIR, value: /available-configs}
    - {name: CONFIG_FILE_DST, value: /config/config.yaml}
    - {name: DEFAULT_CONFIG, value: {{ .top.Values.config.default | quote }}}
    - {name: FALLBACK_STRATEGIES, value: {{ join "," .top.Values.config.fallbackStrategies | quote }}}
    - {name: SEND_SIGNAL, value: {{ if hasSuffix "-init" .name }}"false"{{ else }}"true"{{ end }}}
  volumeMounts:
    - {name: available-configs, mountPath: /available-configs}
    - {name: config, mountPath: /config}
{{- end }}
{{- define "plugin.pod" -}}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
securityContext: {{ toJson .Values.podSecurityContext }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{ toJson . }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- if include "plugin.config" . }}
serviceAccountName: {{ include "plugin.fullname" . }}-service-account
shareProcessNamespace: true
{{- end }}
{{- end }}
