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
