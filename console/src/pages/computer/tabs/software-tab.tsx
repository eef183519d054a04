import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Column } from '../../../components/data-table.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { useFilters } from '../../../components/use-filters.ts'
import { useFormat } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { useWhyTexts } from '../../../texts/why-texts.ts'
import { Age } from '../age.tsx'
import type { ComputerPageData, PackageOfComputer } from '../computer-data.ts'
import { type PackageState, packageKinds, packageStateOf } from '../states.ts'
import { ViewSwitch } from '../view-switch.tsx'
import { ExpandableTable } from '../why/expandable-table.tsx'
import { PackageDetails } from './package-details.tsx'

const states = ['Failed', 'Pending', 'Success', 'NotApplicable'] as const

/** What the computer should have against what it has. Opening a package shows why. */
export function SoftwareTab({ page }: { page: ComputerPageData }) {
  const { computer: texts } = useTexts()
  const { values, set } = useFilters(['state', 'why'], { state: states })
  const columns = useColumns()
  // What needs attention comes first.
  const shown = states.flatMap((state) =>
    values.state && values.state !== state ? [] : page.packages.filter((one) => packageStateOf(one) === state),
  )
  const withCount = (state: PackageState) =>
    `${texts.packageStates[state]} (${page.packages.filter((one) => packageStateOf(one) === state).length})`
  return (
    <Stack gap="sm">
      <ViewSwitch
        label={texts.software.filter}
        value={values.state}
        onChange={(state) => set({ state })}
        options={[
          { value: '', label: texts.software.all(page.packages.length) },
          ...states.map((state) => ({ value: state, label: withCount(state) })),
        ]}
      />
      <ExpandableTable
        caption={texts.tabs.software}
        columns={columns}
        rows={shown}
        rowKey={({ softwareId }) => softwareId}
        openKey={values.why}
        onOpen={(why) => set({ why })}
        details={(software) => <PackageDetails page={page} software={software} />}
        empty={
          values.state
            ? { title: texts.software.noneInState, text: texts.software.noneInStateHint }
            : { title: texts.software.emptyTitle, text: texts.software.emptyText }
        }
      />
    </Stack>
  )
}

function useColumns(): Column<PackageOfComputer>[] {
  const { software: texts, packageStates, installationStates } = useTexts().computer
  const why = useWhyTexts()
  const { compare } = useFormat()
  const inWords = (modes: string) =>
    modes
      .split(', ')
      .filter((name): name is keyof typeof why.commands => name in why.commands)
      .map((name) => why.commands[name])
      .toSorted(compare)
      .join(', ')
  return [
    {
      id: 'name',
      title: texts.columns.package,
      cell: ({ name, version }) => (
        <>
          {name}{' '}
          <Text span c="dimmed" size="sm">
            {version}
          </Text>
        </>
      ),
    },
    { id: 'desired', title: texts.columns.desired, width: 170, cell: ({ desiredMode }) => inWords(desiredMode) || '–' },
    {
      id: 'actual',
      title: texts.columns.actual,
      width: 150,
      cell: ({ installationState }) => installationStates[installationState],
    },
    {
      id: 'state',
      title: texts.columns.state,
      width: 120,
      cell: (one) => (
        <StatusBadge kind={packageKinds[packageStateOf(one)]}>{packageStates[packageStateOf(one)]}</StatusBadge>
      ),
    },
    {
      id: 'from',
      title: texts.columns.from,
      cell: ({ assignedGroupId, assignedGroupPath }) =>
        assignedGroupId ? (
          <Anchor component={Link} to={`/groups/${assignedGroupId}`} fz="inherit">
            {assignedGroupPath}
          </Anchor>
        ) : (
          texts.notAssigned
        ),
    },
    {
      id: 'installed',
      title: texts.columns.installed,
      width: 140,
      cell: ({ installTime }) => (installTime ? <Age atUtc={installTime} /> : '–'),
    },
  ]
}
