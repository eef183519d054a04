import { NumberInput, PasswordInput, Select, Stack, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import type { PanelProps } from '../../actions/use-panels.ts'
import { api, type Schemas } from '../../api/client.ts'
import { NamedField } from '../../components/named-field.tsx'
import { useReportTexts } from '../../texts/report-texts.ts'
import { mailServerKey } from './reports.ts'

type MailServer = Schemas['MailServer']

const valuesOf = (server: MailServer | null) => ({
  host: server?.host ?? '',
  port: server?.port ?? 587,
  tlsMode: server?.tlsMode ?? ('StartTls' as const),
  userName: server?.userName ?? '',
  password: '',
  fromAddress: server?.fromAddress ?? '',
  recipientDomains: server?.recipientDomains ?? [],
  caCertificates: server?.caCertificates ?? '',
})

type Values = ReturnType<typeof valuesOf>

/** An empty password keeps the stored one; without a user, there is none. */
const toRequest = ({ userName, password, caCertificates, ...others }: Values) => ({
  ...others,
  userName: userName.trim() || null,
  caCertificates: caCertificates.trim() || null,
  ...(userName.trim() === '' ? { password: null } : password !== '' && { password }),
})

export function MailServerPanel({ server, ...panel }: PanelProps & { server: MailServer | null }) {
  const { mail } = useReportTexts()
  const [typed, setTyped] = useState(() => valuesOf(server))
  const [settled] = useDebouncedValue(typed, 250)
  const change = (changes: Partial<Values>) => setTyped((before) => ({ ...before, ...changes }))
  const isTyped = typed.host.trim() !== '' && typed.fromAddress.trim() !== '' && typed.recipientDomains.length > 0
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: mail.set,
        label: mail.set,
        requestKey: settled,
        isComplete: isTyped && settled === typed,
        form: <Fields values={typed} onChange={change} />,
        send: ({ uncounted: query }) =>
          api.PUT('/api/admin/mail-server', {
            params: { query },
            body: toRequest(typed),
          }),
        describe: ({ answer }) => mail.sets(answer.host),
        done: () => ({ text: mail.done }),
        refreshes: [mailServerKey],
      }}
    />
  )
}

type FieldsProps = { values: Values; onChange: (changes: Partial<Values>) => void }

function Fields({ values, onChange }: FieldsProps) {
  const { mail } = useReportTexts()
  const { fields } = mail
  return (
    <Stack gap="sm">
      <NamedField name="host">
        <TextInput
          data-autofocus
          required
          label={fields.host}
          description={mail.hostHint}
          autoComplete="off"
          spellCheck={false}
          value={values.host}
          onChange={(event) => onChange({ host: event.currentTarget.value.trim() })}
        />
      </NamedField>
      <NamedField name="tlsMode">
        <Select
          label={fields.tlsMode}
          allowDeselect={false}
          data={(['StartTls', 'Implicit'] as const).map((value) => ({ value, label: mail.tlsModes[value] }))}
          value={values.tlsMode}
          onChange={(value) =>
            onChange({ tlsMode: value as Values['tlsMode'], port: value === 'Implicit' ? 465 : 587 })
          }
        />
      </NamedField>
      <NamedField name="port">
        <NumberInput
          label={fields.port}
          min={1}
          max={65_535}
          allowDecimal={false}
          value={values.port}
          onChange={(port) => onChange({ port: Number(port) })}
        />
      </NamedField>
      <NamedField name="userName">
        <TextInput
          label={fields.userName}
          autoComplete="off"
          value={values.userName}
          onChange={(event) => onChange({ userName: event.currentTarget.value })}
        />
      </NamedField>
      <NamedField name="password">
        <PasswordInput
          label={fields.password}
          description={mail.passwordHint}
          autoComplete="new-password"
          value={values.password}
          onChange={(event) => onChange({ password: event.currentTarget.value })}
        />
      </NamedField>
      <NamedField name="fromAddress">
        <TextInput
          required
          label={fields.fromAddress}
          inputMode="email"
          autoComplete="off"
          value={values.fromAddress}
          onChange={(event) => onChange({ fromAddress: event.currentTarget.value.trim() })}
        />
      </NamedField>
      <LimitFields values={values} onChange={onChange} />
    </Stack>
  )
}

/** To whom it may send, and which authority it is trusted by. */
function LimitFields({ values, onChange }: FieldsProps) {
  const { mail } = useReportTexts()
  const { fields } = mail
  return (
    <>
      <NamedField name="recipientDomains">
        <TagsInput
          required
          label={fields.recipientDomains}
          description={mail.domainsHint}
          maxTags={100}
          value={values.recipientDomains}
          onChange={(recipientDomains) => onChange({ recipientDomains })}
          acceptValueOnBlur
        />
      </NamedField>
      <NamedField name="caCertificates">
        <Textarea
          label={fields.caCertificates}
          description={mail.caHint}
          autosize
          maxRows={6}
          value={values.caCertificates}
          onChange={(event) => onChange({ caCertificates: event.currentTarget.value })}
        />
      </NamedField>
    </>
  )
}
