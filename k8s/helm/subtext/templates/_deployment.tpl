{{- /*
A process with everything that belongs to it. Takes root, name, process (its values), program, port (of a server), lanes (of a
worker), hasStores, hasFiles, and the secrets: required, optional.
*/ -}}
{{- define "subtext.process" -}}
{{- $values := .root.Values -}}
{{- $hasVolume := and .hasFiles $values.blobVolume.enabled -}}
{{- /* Load balancers need ten seconds to notice that a server stops. */ -}}
{{- $pause := ternary 5 0 (hasKey . "port") -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "subtext.metadata" . | nindent 2 }}
  annotations:
    # With Reloader installed, processes restart when a secret changes.
    secret.reloader.stakater.com/auto: 'true'
spec:
  {{- if not (or $values.autoscaling.enabled (kindIs "invalid" .process.replicas)) }}
  replicas: {{ int .process.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  minReadySeconds: 5
  strategy:
    rollingUpdate: { maxSurge: 25%, maxUnavailable: 0 }
  selector:
    matchLabels:
      {{- include "subtext.podLabels" .name | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "subtext.podLabels" .name | nindent 8 }}
      annotations:
        # A change of the settings restarts the processes.
        checksum/settings: {{ include "subtext.settings" .root | sha256sum }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: subtext
      {{- include "subtext.pod" (dict "root" .root "hasFiles" $hasVolume) | nindent 6 }}
      terminationGracePeriodSeconds: {{ add .process.shutdownGraceSeconds 20 $pause }}
      # Over zones and hosts, separately for each process and each of its versions.
      topologySpreadConstraints:
        {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - topologyKey: {{ . }}
          maxSkew: 1
          whenUnsatisfiable: ScheduleAnyway
          labelSelector: { matchLabels: { app.kubernetes.io/name: subtext } }
          matchLabelKeys: [app.kubernetes.io/component, pod-template-hash]
        {{- end }}
      {{- if .hasStores }}
      initContainers:
        # A new version starts only on its own schema, while the old one keeps running.
        - name: await-migrations
          {{- include "subtext.containerImage" .root | nindent 10 }}
          args: [dist/standalone/migrate.js, --wait]
          env:
            {{- include "subtext.secretVariables" (dict "root" .root "required" (list "DATABASE_URL") "optional" list) | nindent 12 }}
          resources:
            requests: { cpu: 50m, memory: 64Mi }
            limits: { memory: 256Mi }
          {{- include "subtext.containerSecurity" . | nindent 10 }}
      {{- end }}
      containers:
        - name: app
          {{- include "subtext.containerImage" .root | nindent 10 }}
          args: [{{ .program }}]
          envFrom:
            - configMapRef: { name: settings }
          env:
            - name: SHUTDOWN_GRACE_SECONDS
              value: {{ .process.shutdownGraceSeconds | quote }}
            {{- with .lanes }}
            - name: WORKER_LANES
              value: {{ join "," . }}
            {{- end }}
            {{- range $name, $value := .process.settings }}
            - name: {{ $name }}
              value: {{ $value | quote }}
            {{- end }}
            {{- if $hasVolume }}
            - name: BLOB_STORE_URL
              value: file:///blobs
            {{- end }}
            {{- $required := .required }}
            {{- if .hasStores }}{{ $required = concat (list "DATABASE_URL" "REDIS_URL") $required }}{{ end }}
            {{- $optional := append .optional "OTEL_EXPORTER_OTLP_HEADERS" }}
            {{- if and .hasFiles (not $hasVolume) }}{{ $optional = append $optional "BLOB_STORE_URL" }}{{ end }}
            {{- include "subtext.secretVariables" (dict "root" .root "required" $required "optional" $optional) | nindent 12 }}
          ports:
            {{- if hasKey . "port" }}
            - { name: http, containerPort: {{ .port }} }
            {{- end }}
            - { name: metrics, containerPort: 9464 }
          startupProbe:
            httpGet: { path: /health/live, port: metrics }
            periodSeconds: 2
            failureThreshold: 30
          livenessProbe:
            httpGet: { path: /health/live, port: metrics }
            periodSeconds: 15
            timeoutSeconds: 5
            failureThreshold: 4
          readinessProbe:
            httpGet: { path: /health/ready, port: metrics }
            periodSeconds: 5
            timeoutSeconds: 3
            failureThreshold: 2
          {{- if hasKey . "port" }}
          # The process closes its port on SIGTERM. Until then, load balancers have time to notice.
          lifecycle:
            preStop: { sleep: { seconds: 10 } }
          {{- end }}
          resources:
            {{- toYaml .process.resources | nindent 12 }}
          {{- include "subtext.containerSecurity" . | nindent 10 }}
          {{- if $hasVolume }}
          volumeMounts:
            - { name: blobs, mountPath: /blobs }
          {{- end }}
      {{- if $hasVolume }}
      volumes:
        - name: blobs
          persistentVolumeClaim: { claimName: {{ $values.blobVolume.existingClaim | default "blobs" }} }
      {{- end }}
{{- if hasKey . "port" }}
---
{{ include "subtext.service" . }}
{{- end }}
{{- if $values.podDisruptionBudgets.enabled }}
---
{{ include "subtext.disruptionBudget" . }}
{{- end }}
{{- end }}
