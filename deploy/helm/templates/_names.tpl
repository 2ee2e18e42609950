{{- /* Labels that choose the pods of one part: (dict "root" $ "part" "content"). */ -}}
{{- define "team-memory.selector" -}}
app.kubernetes.io/name: team-memory-service
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- /* Labels of everything that belongs to one part. */ -}}
{{- define "team-memory.labels" -}}
{{ include "team-memory.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end -}}

{{- /* Secret settings of one part as { setting: { name, key } }: (dict "root" $ "wiring" …). */ -}}
{{- define "team-memory.secrets" -}}
{{- $secrets := dict -}}
{{- range .wiring.secrets -}}
{{- $source := index $.root.Values.secrets . -}}
{{- if $source.name -}}{{- $_ := set $secrets . $source -}}{{- end -}}
{{- end -}}
{{- with .root.Values.tls.secretName -}}
{{- $_ := set $secrets "TLS_CERTIFICATE" (dict "name" . "key" "tls.crt") -}}
{{- $_ := set $secrets "TLS_KEY" (dict "name" . "key" "tls.key") -}}
{{- $_ := set $secrets "TLS_AUTHORITY" (dict "name" . "key" "ca.crt") -}}
{{- end -}}
{{- toJson $secrets -}}
{{- end -}}

{{- /* The image: by its digest where there is one, which no push to a tag can change. */ -}}
{{- define "team-memory.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}{{ .repository }}@{{ .digest }}
{{- else -}}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Names under which the API is published, as JSON; patterns such as *.example.com are left out. */ -}}
{{- define "team-memory.public-hosts" -}}
{{- $hosts := list -}}
{{- if .Values.ingress.enabled -}}{{- $hosts = concat $hosts .Values.ingress.hosts -}}{{- end -}}
{{- if .Values.httpRoute.enabled -}}{{- $hosts = concat $hosts .Values.httpRoute.hostnames -}}{{- end -}}
{{- $names := list -}}
{{- range $hosts -}}
{{- if not (hasPrefix "*" .) -}}{{- $names = append $names . -}}{{- end -}}
{{- end -}}
{{- uniq $names | toJson -}}
{{- end -}}

{{- /* Settings of one part as { setting: text }: its own, then those of all, then what follows from other values. */ -}}
{{- define "team-memory.settings" -}}
{{- $derived := dict -}}
{{- if eq .part "gateway" -}}
{{- with include "team-memory.public-hosts" .root | fromJsonArray -}}
{{- $_ := set $derived "MCP_HOSTS" (join "," .) -}}
{{- end -}}
{{- end -}}
{{- if .root.Values.privateAuthorities.configMapName -}}
{{- $_ := set $derived "NODE_EXTRA_CA_CERTS" "/etc/team-memory-authorities/ca.crt" -}}
{{- end -}}
{{- merge (dict) (index .root.Values .part).settings .root.Values.settings $derived | toJson -}}
{{- end -}}

{{- /* Users, groups and system calls of a pod. */ -}}
{{- define "team-memory.pod-security" -}}
runAsNonRoot: true
seccompProfile: { type: RuntimeDefault }
{{- /* Without these three the cluster chooses, as OpenShift does. */ -}}
{{- range $name, $id := .Values.podSecurityContext }}
{{- if ne $id nil }}
{{ $name }}: {{ int64 $id }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* What no container may do. */ -}}
{{- define "team-memory.container-security" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- /* Where pods that belong to no part are placed, and what their image is pulled with. */ -}}
{{- define "team-memory.placement" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- range $name := list "affinity" "nodeSelector" "tolerations" }}
{{- with index $.Values $name }}
{{ $name }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}
