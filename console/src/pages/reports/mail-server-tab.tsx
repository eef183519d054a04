import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { useAskedPanel } from '../../actions/use-asked-panel.ts'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { hasStatus } from '../../api/problem.ts'
import { Facts } from '../../components/facts.tsx'
import { Loading } from '../../components/loading.tsx'
import { ProblemLine, ProblemView } from '../../components/problem-view.tsx'
import { Section } from '../../components/section.tsx'
import { useReportTexts } from '../../texts/report-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { MailServerPanel } from './mail-server-panel.tsx'
import { mailServerKey } from './reports.ts'

type MailServer = Schemas['MailServer']

/** The mail server through which reports are sent. */
export function MailServerTab() {
  const texts = useReportTexts()
  const { shown, open, onClose } = usePanels<'set' | 'remove'>()
  useAskedPanel('setMailServer', () => open('set', undefined))
  const { data, error, refetch } = useQuery({ queryKey: mailServerKey, queryFn: readMailServer })
  if (error) return <ProblemView error={error} onRetry={refetch} />
  if (data === undefined) return <Loading height={200} />
  const Panel = shown?.name === 'remove' ? RemovePanel : MailServerPanel
  return (
    <Section title={texts.tabs.mail}>
      <Stack gap="md" align="flex-start">
        {data ? <Settings server={data} /> : <Text>{texts.mail.none}</Text>}
        <Group gap="sm">
          <Button onClick={() => open('set', undefined)}>{texts.mail.set}</Button>
          {data && (
            <Button variant="default" onClick={() => open('remove', undefined)}>
              {texts.mail.remove}
            </Button>
          )}
        </Group>
        {data && <TestMail />}
      </Stack>
      {shown && <Panel key={shown.number} server={data} isOpen={shown.isOpen} onClose={onClose} />}
    </Section>
  )
}

/** The settings; null if no mail server is set. */
async function readMailServer(): Promise<MailServer | null> {
  try {
    return await answerOf(api.GET('/api/admin/mail-server'))
  } catch (error) {
    if (hasStatus(error, 404)) return null
    throw error
  }
}

function Settings({ server }: { server: MailServer }) {
  const { mail } = useReportTexts()
  const { fields } = mail
  return (
    <Facts
      rows={[
        [fields.host, server.host],
        [fields.port, server.port],
        [fields.tlsMode, mail.tlsModes[server.tlsMode]],
        [fields.userName, server.userName],
        [fields.password, server.hasPassword ? mail.hasPassword : mail.noPassword],
        [fields.fromAddress, server.fromAddress],
        [fields.recipientDomains, server.recipientDomains.join(', ')],
      ]}
    />
  )
}

function TestMail() {
  const { mail } = useReportTexts()
  const { common } = useTexts()
  const [recipient, setRecipient] = useState('')
  const { mutate, isPending } = useMutation({
    mutationFn: () => answerOf(api.POST('/api/admin/mail-server/test', { body: { recipient: recipient.trim() } })),
    onSuccess: ({ error }) =>
      notifications.show({
        message: error === null ? mail.tested : mail.testFailed(error),
        color: error === null ? 'green' : 'red',
        closeButtonProps: { 'aria-label': common.close },
      }),
    onError: (error) => notifications.show({ message: <ProblemLine error={error} />, color: 'red' }),
  })
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        label={mail.testRecipient}
        inputMode="email"
        autoComplete="off"
        value={recipient}
        onChange={(event) => setRecipient(event.currentTarget.value)}
      />
      <Button variant="default" loading={isPending} disabled={recipient.trim() === ''} onClick={() => mutate()}>
        {mail.test}
      </Button>
    </Group>
  )
}

function RemovePanel(panel: PanelProps) {
  const { mail } = useReportTexts()
  return (
    <ReviewPanel<unknown>
      isOpen={panel.isOpen}
      onClose={panel.onClose}
      action={{
        title: mail.removeTitle,
        label: mail.remove,
        send: ({ uncounted: query, headers }) =>
          api.DELETE('/api/admin/mail-server', { params: { query, header: headers } }),
        describe: () => mail.removes,
        done: () => ({ text: mail.removed }),
        refreshes: [mailServerKey],
      }}
    />
  )
}
