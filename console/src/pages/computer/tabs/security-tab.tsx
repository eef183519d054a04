import { Alert, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { answerOf, api, type Schemas } from '../../../api/client.ts'
import { Facts } from '../../../components/facts.tsx'
import { IconAlertTriangle } from '../../../components/icons.ts'
import { Moment } from '../../../components/moment.tsx'
import { Section } from '../../../components/section.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey } from '../computer-data.ts'
import { TabContent } from './tab-content.tsx'

/** How the computer protects itself, as the last inventory found it. */
export function SecurityTab({ id }: { id: number }) {
  const query = useQuery({
    queryKey: [...computerKey(id), 'security'],
    queryFn: () =>
      answerOf(
        api.GET('/api/computer/{id}/security-posture', { params: { path: { id }, query: { staleAfterDays: 3 } } }),
      ),
  })
  return <TabContent query={query}>{(posture) => <Posture posture={posture} />}</TabContent>
}

function Posture({ posture }: { posture: Schemas['SecurityPosture'] }) {
  const { security: texts } = useTexts().computer
  const { antivirus, firewall, secureBoot, scriptPolicy, bitlocker, inventoryAgeDays, isStale } = posture
  return (
    <Stack gap="md">
      {isStale && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {inventoryAgeDays === null ? texts.noInventory : texts.stale(inventoryAgeDays)}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Section title={texts.antivirus}>
          <Facts
            rows={[
              [texts.state, <OnOff key="on" value={antivirus.isEnabled} />],
              [texts.product, [antivirus.name, antivirus.version].filter(Boolean).join(' ')],
              [texts.upToDate, antivirus.isUpToDate === null ? null : <YesNo key="new" value={antivirus.isUpToDate} />],
              [
                texts.definitions,
                antivirus.definitionsDateUtc && <Moment key="at" at={antivirus.definitionsDateUtc} />,
              ],
            ]}
          />
        </Section>
        <Section title={texts.firewall}>
          <Facts
            rows={[
              [texts.state, <OnOff key="on" value={firewall.isEnabled} />],
              [texts.product, firewall.name],
              [texts.domainProfile, <Optional key="domain" value={firewall.domainProfileEnabled} />],
              [texts.privateProfile, <Optional key="private" value={firewall.privateProfileEnabled} />],
              [texts.publicProfile, <Optional key="public" value={firewall.publicProfileEnabled} />],
            ]}
          />
        </Section>
        <Section title={texts.encryption}>
          <Facts
            rows={[
              [texts.state, <Encryption key="all" status={bitlocker.status} />],
              ...bitlocker.volumes.map(
                ({ volume, status }) => [volume, <Encryption key={volume} status={status} />] as const,
              ),
            ]}
          />
        </Section>
        <Section title={texts.boot}>
          <Facts
            rows={[
              [texts.secureBoot, <OnOff key="boot" value={secureBoot.isEnabled} />],
              [
                texts.supported,
                secureBoot.isSupported === null ? null : <YesNo key="has" value={secureBoot.isSupported} />,
              ],
              [
                texts.scriptPolicy,
                [scriptPolicy.name, scriptPolicy.policy].filter(Boolean).join(': ') || texts.unknown,
              ],
            ]}
          />
        </Section>
      </SimpleGrid>
    </Stack>
  )
}

function OnOff({ value }: { value: boolean | null }) {
  const { security: texts } = useTexts().computer
  if (value === null) return <StatusBadge kind="neutral">{texts.unknown}</StatusBadge>
  return <StatusBadge kind={value ? 'good' : 'bad'}>{value ? texts.on : texts.off}</StatusBadge>
}

function YesNo({ value }: { value: boolean }) {
  const { security: texts } = useTexts().computer
  return <StatusBadge kind={value ? 'good' : 'warning'}>{value ? texts.yes : texts.no}</StatusBadge>
}

/** Only Windows has profiles. */
function Optional({ value }: { value: boolean | null }) {
  const { security: texts } = useTexts().computer
  return value === null ? texts.notKnown : <OnOff value={value} />
}

const encryptionKinds = { Encrypted: 'good', Unencrypted: 'bad', NotAvailable: 'neutral' } as const

function Encryption({ status }: { status: keyof typeof encryptionKinds }) {
  const { security: texts } = useTexts().computer
  return <StatusBadge kind={encryptionKinds[status]}>{texts.encryptionStates[status]}</StatusBadge>
}
