import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { usePanels } from '../../../actions/use-panels.ts'
import { type PackageLine, type PackageUpgrade, packageLineQuery, upgradesQuery } from '../../../api/package-lines.ts'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { Moment } from '../../../components/moment.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { TitledTable } from '../../../components/titled-table.tsx'
import { useHasRole } from '../../../shell/session-context.ts'
import { usePackageLineTexts } from '../../../texts/package-line-texts.ts'
import { RollBackPanel } from './roll-back-panel.tsx'
import { UpgradePanel } from './upgrade-panel.tsx'
import { useVersionColumns } from './version-columns.tsx'

/** The versions of the line of a package, what is proposed, and its last upgrades. */
export function LineSection({ packageId }: { packageId: string }) {
  const texts = usePackageLineTexts()
  const line = useQuery(packageLineQuery(packageId))
  const columns = useVersionColumns(packageId)
  return (
    <Stack>
      <TitledTable title={texts.title} hint={texts.hint}>
        {line.data && <Proposal line={line.data} />}
        <DataTable
          caption={texts.title}
          columns={columns}
          rows={line.data?.versions}
          rowKey={({ id }) => id}
          error={line.error}
          onRetry={line.refetch}
          empty={{ title: texts.noLines, text: '' }}
        />
      </TitledTable>
      <Upgrades packageId={packageId} />
    </Stack>
  )
}

/** Whether the person may start an upgrade or roll one back, which changes groups and starts rollouts. */
function useMayUpgrade(): boolean {
  const [mayActivate, mayAssign] = [useHasRole('activation.execute'), useHasRole('group.write')]
  return mayActivate && mayAssign
}

function Proposal({ line: { name, proposal } }: { line: PackageLine }) {
  const texts = usePackageLineTexts()
  const mayUpgrade = useMayUpgrade()
  const { shown, open, onClose } = usePanels<'upgrade'>()
  if (!proposal) return null
  const version = proposal.version ?? '–'
  return (
    <Alert color="indigo">
      <Group justify="space-between">
        <Text size="sm">{texts.proposal(version, proposal.groupCount)}</Text>
        {mayUpgrade && <Button onClick={() => open('upgrade', undefined)}>{texts.upgrade.open}</Button>}
      </Group>
      {shown && (
        <UpgradePanel
          key={shown.number}
          isOpen={shown.isOpen}
          onClose={onClose}
          packageId={proposal.packageId}
          label={`${name} ${version}`}
        />
      )}
    </Alert>
  )
}

function Upgrades({ packageId }: { packageId: string }) {
  const texts = usePackageLineTexts()
  const upgrades = useQuery(upgradesQuery(packageId))
  const { shown, open, onClose } = usePanels<'rollBack', PackageUpgrade>()
  const columns = useUpgradeColumns((upgrade) => open('rollBack', upgrade))
  if (!upgrades.data || upgrades.data.items.length === 0) return null
  return (
    <TitledTable title={texts.upgrades} hint={texts.upgradesHint}>
      <DataTable
        caption={texts.upgrades}
        columns={columns}
        rows={upgrades.data.items}
        rowKey={({ upgradeId }) => upgradeId}
        error={upgrades.error}
        onRetry={upgrades.refetch}
        empty={{ title: '', text: '' }}
      />
      {shown && <RollBackPanel key={shown.number} isOpen={shown.isOpen} onClose={onClose} upgrade={shown.target} />}
    </TitledTable>
  )
}

const stateKinds = {
  Running: 'running',
  Paused: 'warning',
  Completed: 'good',
  Cancelled: 'neutral',
  RollingBack: 'running',
  RolledBack: 'neutral',
} as const

function useUpgradeColumns(onRollBack: (upgrade: PackageUpgrade) => void): Column<PackageUpgrade>[] {
  const texts = usePackageLineTexts()
  const mayUpgrade = useMayUpgrade()
  const { upgradeColumns: titles } = texts
  return [
    { id: 'version', title: titles.version, width: 130, cell: ({ version, name }) => version ?? name ?? '–' },
    {
      id: 'state',
      title: titles.state,
      width: 170,
      cell: ({ state }) => <StatusBadge kind={stateKinds[state]}>{texts.upgradeStates[state]}</StatusBadge>,
    },
    { id: 'groups', title: titles.groups, width: 90, cell: ({ groups }) => groups.length },
    {
      id: 'started',
      title: titles.started,
      width: 200,
      cell: ({ createdAtUtc, createdBy }) => (
        <Stack gap={0}>
          <Moment at={createdAtUtc} />
          <Text size="xs" c="dimmed" className="breakable">
            {texts.by(createdBy)}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'rollouts',
      title: titles.rollouts,
      cell: ({ rollouts }) => (
        <Stack gap={0}>
          {rollouts.map(({ rolloutId, name, succeededCount, computerCount }) => (
            <Anchor key={rolloutId} component={Link} to={`/rollouts/${rolloutId}`} size="xs" className="breakable">
              {`${name} (${succeededCount}/${computerCount})`}
            </Anchor>
          ))}
        </Stack>
      ),
    },
    {
      id: 'action',
      title: titles.action,
      width: 140,
      cell: (upgrade) =>
        mayUpgrade && upgrade.rolledBackAtUtc === null ? (
          <Button size="compact-sm" variant="default" onClick={() => onRollBack(upgrade)}>
            {texts.rollBack.open}
          </Button>
        ) : null,
    },
  ]
}
