import { Text } from '@mantine/core'
import type { PackageSummary } from '../../api/packages.ts'
import { OutcomeBar } from '../../components/outcome-bar.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.tsx'

type DeploymentBarProps = { name: string; deployments: PackageSummary['deployments'] }

/** The computers on which a package succeeded, failed or is pending, in one line of a table. */
export function DeploymentBar({ name, deployments: { success, failed, pending } }: DeploymentBarProps) {
  const { packages } = useTexts()
  const format = useFormat()
  const { results } = packages
  const parts = [
    { kind: 'good', value: success, label: results.success },
    { kind: 'bad', value: failed, label: results.failed },
    { kind: 'running', value: pending, label: results.pending },
  ] as const
  const shown = parts.filter(({ value }) => value > 0)
  if (shown.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {packages.noResult}
      </Text>
    )
  return (
    <div>
      <OutcomeBar isCompact label={packages.resultOf(name)} parts={parts} />
      <Text size="xs" mt={4}>
        {shown.map(({ value, label }) => `${format.number(value)} ${label}`).join(' · ')}
      </Text>
    </div>
  )
}
