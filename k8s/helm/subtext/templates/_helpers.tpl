{{- define "subtext.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "subtext.labels" -}}
app.kubernetes.io/name: subtext
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- /* Takes root and name. */ -}}
{{- define "subtext.metadata" -}}
name: {{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "subtext.labels" .root | nindent 2 }}
{{- end }}

{{- /* Takes the name of a process. */ -}}
{{- define "subtext.podLabels" -}}
app.kubernetes.io/name: subtext
app.kubernetes.io/component: {{ . }}
{{- end }}

{{- /* Routes know no ports. */ -}}
{{- define "subtext.host" -}}
{{- (urlParse .Values.publicUrl).hostname | lower -}}
{{- end }}

{{- /* The MCP server reaches the API over TLS, like every client. */ -}}
{{- define "subtext.settings" -}}
{{- $computed := dict
  "PUBLIC_BASE_URL" .Values.publicUrl
  "MCP_PUBLIC_URL" (printf "%s/mcp" .Values.publicUrl)
  "SERVICE_API_BASE" .Values.publicUrl
  "PURGE_IN_WORKERS" (not .Values.purge.enabled | toString) -}}
{{- toYaml (merge (dict) .Values.settings $computed) -}}
{{- end }}

{{- /* Takes root and key. */ -}}
{{- define "subtext.secretKey" -}}
{{- $from := get (.root.Values.secrets.from | default dict) .key | default dict -}}
name: {{ $from.name | default .root.Values.secrets.name }}
key: {{ $from.key | default .key }}
{{- end }}

{{- /* Takes root and the names of the variables: required, optional. */ -}}
{{- define "subtext.secretVariables" -}}
{{- $given := . -}}
{{- range concat (.required | default list) .optional }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      {{- include "subtext.secretKey" (dict "root" $given.root "key" .) | nindent 6 }}
      {{- if has . $given.optional }}
      optional: true
      {{- end }}
{{- end }}
{{- end }}

{{- define "subtext.containerSecurity" -}}
securityContext:
  readOnlyRootFilesystem: true
  allowPrivilegeEscalation: false
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "subtext.containerImage" -}}
image: {{ include "subtext.image" . }}
{{- with .Values.image.pullPolicy }}
imagePullPolicy: {{ . }}
{{- end }}
{{- end }}

{{- /* What the pods of all processes and jobs have in common. No process talks to the Kubernetes API. Takes root and hasFiles. */ -}}
{{- define "subtext.pod" -}}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
  {{- if .hasFiles }}
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  {{- end }}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Takes root and name. */ -}}
{{- define "subtext.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "subtext.metadata" . | nindent 2 }}
spec:
  maxUnavailable: {{ .process.disruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "subtext.podLabels" .name | nindent 6 }}
{{- end }}

{{- /* Takes root and name. */ -}}
{{- define "subtext.service" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "subtext.metadata" . | nindent 2 }}
spec:
  selector:
    {{- include "subtext.podLabels" .name | nindent 4 }}
  ports:
    - { name: http, port: 80, targetPort: http }
{{- end }}
