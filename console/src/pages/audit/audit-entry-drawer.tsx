import { Anchor, Code, DataList, Stack, Text, Title } from '@mantine/core'
import type { AuditEntry } from '../../api/client.ts'
import { Moment } from '../../components/moment.tsx'
import { SidePanel } from '../../components/side-panel.tsx'
import { useAuditTexts } from '../../texts/audit-texts.ts'
import { AuditSentence } from './audit-sentence.tsx'

type AuditEntryDrawerProps = {
  entry: AuditEntry | undefined
  onFilter: (filters: { target?: string; principalId?: string }) => void
  onClose: () => void
}

export function AuditEntryDrawer({ entry, onFilter, onClose }: AuditEntryDrawerProps) {
  const audit = useAuditTexts()
  return (
    <SidePanel isOpen={entry !== undefined} onClose={onClose} title={entry && audit.entryTitle(entry.id)}>
      {entry && <Entry entry={entry} onFilter={onFilter} />}
    </SidePanel>
  )
}

function Entry({ entry, onFilter }: Pick<AuditEntryDrawerProps, 'onFilter'> & { entry: AuditEntry }) {
  const audit = useAuditTexts()
  const rows = [
    [audit.columns.time, <Moment key="time" at={entry.occurredAtUtc} />],
    [audit.columns.what, <AuditSentence key="what" entry={entry} />],
    [audit.columns.principal, entry.principalName],
    [audit.columns.operation, entry.operation],
    [audit.columns.target, entry.target],
    [audit.columns.status, entry.status],
    [audit.requestId, entry.requestId],
    [audit.hash, entry.hash],
  ] as const
  return (
    <Stack>
      <DataList orientation="vertical" gap="xs">
        {rows.map(([label, value]) => (
          <DataList.Item key={label}>
            <DataList.ItemLabel>{label}</DataList.ItemLabel>
            <DataList.ItemValue className="breakable">{value}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
      <Text size="xs" c="dimmed">
        {audit.hashHint}
      </Text>
      <Title order={3} size="h5">
        {audit.request}
      </Title>
      <Code block className="breakable" tabIndex={0} role="group" aria-label={audit.request}>
        {JSON.stringify(entry.request, null, 2)}
      </Code>
      <Anchor component="button" type="button" fz="sm" ta="left" onClick={() => onFilter({ target: entry.target })}>
        {audit.sameTarget}
      </Anchor>
      {entry.principalId !== null && (
        <Anchor
          component="button"
          type="button"
          fz="sm"
          onClick={() => onFilter({ principalId: String(entry.principalId) })}
        >
          {audit.samePrincipal}
        </Anchor>
      )}
    </Stack>
  )
}
