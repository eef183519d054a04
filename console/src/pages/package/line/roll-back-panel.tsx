import { Table } from '@mantine/core'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import type { PackageUpgrade } from '../../../api/package-lines.ts'
import type { components } from '../../../api/types.ts'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { usePackageLineTexts } from '../../../texts/package-line-texts.ts'

type RolledBack = components['schemas']['RolledBackUpgrade']

/** Brings the previous version back. The dry run says to how many computers, and which groups cannot go back. */
export function RollBackPanel({ upgrade, ...panel }: PanelProps & { upgrade: PackageUpgrade }) {
  const texts = usePackageLineTexts().rollBack
  const { upgradeId: id, name, version } = upgrade
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: texts.title([name, version].filter(Boolean).join(' ')),
        label: texts.label,
        requestKey: id,
        send: ({ query, headers }) =>
          api.POST('/api/package-upgrades/{id}/roll-back', { params: { path: { id }, query, header: headers } }),
        describe: ({ answer }) => texts.describes(answer.computerCount, answer.withdrawnCount),
        details: ({ answer }) => <Groups answer={answer} />,
        done: ({ upgrade: { rollouts } }) => {
          const [rollout] = rollouts.filter(({ isRollBack }) => isRollBack)
          return { text: texts.done, ...(rollout && { to: `/rollouts/${rollout.rolloutId}` }) }
        },
        refreshes: [['package'], ['packages'], ['groups'], ['group'], ['rollouts']],
      }}
    />
  )
}

function Groups({ answer: { groups } }: { answer: RolledBack }) {
  const texts = usePackageLineTexts()
  return (
    <Table aria-label={texts.columns.groups}>
      <Table.Tbody>
        {groups.map(({ groupId, path, oldVersion, obstacle }) => (
          <Table.Tr key={groupId}>
            <Table.Td className="breakable">{path ?? '–'}</Table.Td>
            <Table.Td ta="end">
              <StatusBadge kind={obstacle ? 'warning' : 'good'}>
                {obstacle ? texts.rollBack.obstacles[obstacle] : texts.rollBack.backTo(oldVersion ?? '–')}
              </StatusBadge>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
