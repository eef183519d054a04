import { List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { answerOf, api, type Schemas } from '../../../../api/client.ts'
import { Section } from '../../../../components/section.tsx'
import { StatusBadge } from '../../../../components/status-badge.tsx'
import { useOsInstallationTexts } from '../../../../texts/os-installation-texts.ts'
import { useTexts } from '../../../../texts/texts.tsx'
import { type ComputerPageData, computerKey } from '../../computer-data.ts'

/** Whether an operating system can be installed on a computer, and what is missing. */
export function OsReadiness({ ready, missing }: Pick<Schemas['OsDeploymentReadiness'], 'ready' | 'missing'>) {
  const texts = useOsInstallationTexts()
  const { reinstallSystem } = useTexts().computer.actions
  if (ready) return <StatusBadge kind="good">{texts.ready}</StatusBadge>
  return (
    <Stack gap={4}>
      <StatusBadge kind="warning">{texts.notReady}</StatusBadge>
      <Text size="xs" c="dimmed">
        {texts.missing}
      </Text>
      <List size="xs">
        {missing.map((condition) => (
          <List.Item key={condition}>{reinstallSystem.missing[condition]}</List.Item>
        ))}
      </List>
    </Stack>
  )
}

/** The readiness of a computer for which a group assigns an operating system or a boot image. */
export function OsReadinessSection({ page }: { page: ComputerPageData }) {
  const texts = useOsInstallationTexts()
  const { id } = page.computer
  const { data } = useQuery({
    queryKey: [...computerKey(id), 'os-readiness'],
    queryFn: () => answerOf(api.GET('/api/computer/{id}/os-deployment-readiness', { params: { path: { id } } })),
  })
  if (!data || (data.skuId === null && data.pxeImageId === null && !page.computer.isPxeActive)) return null
  return (
    <Section title={texts.readiness}>
      <Stack gap="xs">
        <Text size="sm">{data.edition ?? texts.noEdition}</Text>
        <OsReadiness {...data} />
      </Stack>
    </Section>
  )
}
