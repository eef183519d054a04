import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { api, type Schemas } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { DataAge } from '../../components/data-age.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { IconDownload } from '../../components/icons.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { OutcomeBar } from '../../components/outcome-bar.tsx'
import { PathText } from '../../components/path-text.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useFormat } from '../../texts/format.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './compliance.module.css'
import { ComplianceTrend } from './compliance-trend.tsx'
import { ages, severities as allSeverities } from './severity.ts'
import { SlaSection } from './sla-section.tsx'

type GroupCompliance = Schemas['PatchComplianceOfGroup']
type Severity = keyof GroupCompliance['missing']

/** The severities with the values of the filter of computers. */
const severities = {
  critical: 'Critical',
  important: 'Important',
  moderate: 'Moderate',
  low: 'Low',
  unknown: 'Unknown',
} as const satisfies Record<Severity, string>

/** The patch compliance of all groups, each with the groups below it. */
export function ComplianceTable() {
  const { compliance } = usePatchTexts()
  const { common } = useTexts()
  const { filters, query } = useComplianceFilters()
  const pages = useListPages({
    queryKey: ['patches', 'compliance', query],
    load: (page) => api.GET('/api/fleet/patch-compliance', { params: { query: { top: 50, ...query, ...page } } }),
  })
  const age = pages.first?.calculatedAtUtc
  return (
    <Stack gap="md">
      <Group align="stretch" grow preventGrowOverflow={false} wrap="wrap">
        <SlaSection />
        <ComplianceTrend />
      </Group>
      <Group justify="space-between" align="flex-end">
        <ComplianceFilterBar filters={filters} />
        <Group gap="sm">
          <Button
            component="a"
            href={`/api/fleet/patch-compliance/csv?${new URLSearchParams(toTexts(query))}`}
            download
            variant="default"
            size="compact-sm"
            fw={500}
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            {compliance.csv}
          </Button>
          {age && <DataAge atUtc={age} />}
        </Group>
      </Group>
      <Text size="sm" c="dimmed" maw={760}>
        {compliance.tableHint} {compliance.filterHint}
      </Text>
      <DataTable
        caption={compliance.title}
        columns={useColumns()}
        rows={pages.rows}
        rowKey={({ groupId }) => groupId}
        error={pages.error}
        onRetry={pages.refetch}
        empty={
          filters.areSet
            ? { title: common.nothingFound, text: common.nothingFoundHint }
            : { title: compliance.empty, text: '' }
        }
        footer={<LoadMore query={pages} />}
      />
    </Stack>
  )
}

/** The filters in the address, and the query that they are for the service. */
function useComplianceFilters() {
  const filters = useFilters(['group', 'severity', 'age', 'state'], {
    ...{ severity: allSeverities, age: ages, state: ['overdue'] },
  })
  const { group: search, state } = filters.values
  const severity = allSeverities.find((name) => name === filters.values.severity)
  const age = ages.find((name) => name === filters.values.age)
  const query = {
    ...(search && { search }),
    ...(severity && { severity }),
    ...(age && { age }),
    ...(state === 'overdue' && { overdue: true }),
  }
  return { filters, query }
}

const toTexts = (query: object) => Object.entries(query).map(([name, value]) => [name, String(value)])

function ComplianceFilterBar({ filters }: Pick<ReturnType<typeof useComplianceFilters>, 'filters'>) {
  const patches = usePatchTexts()
  const { compliance } = patches
  const { common } = useTexts()
  const { group, severity, age, state } = filters.values
  return (
    <FilterBar filters={filters}>
      <SearchField
        label={compliance.search}
        placeholder={compliance.searchHint}
        value={group}
        onSearch={(text) => filters.set({ group: text })}
      />
      <Select
        label={patches.filters.severity}
        placeholder={common.all}
        clearable
        data={allSeverities.map((value) => ({ value, label: patches.severities[value] }))}
        value={severity || null}
        onChange={(value) => filters.set({ severity: value ?? '' })}
      />
      <Select
        label={patches.filters.age}
        placeholder={common.all}
        clearable
        data={ages.map((value) => ({ value, label: patches.ages[value] }))}
        value={age || null}
        onChange={(value) => filters.set({ age: value ?? '' })}
      />
      <Select
        label={patches.filters.state}
        placeholder={common.all}
        clearable
        data={Object.entries(compliance.states).map(([value, label]) => ({ value, label }))}
        value={state || null}
        onChange={(value) => filters.set({ state: value ?? '' })}
      />
    </FilterBar>
  )
}

function useColumns(): Column<GroupCompliance>[] {
  const patches = usePatchTexts()
  const { compliance } = patches
  const format = useFormat()
  const titleOf = (severity: Severity) =>
    severity === 'unknown' ? patches.severities.Unrated : patches.severities[severities[severity]]
  return [
    {
      id: 'path',
      title: compliance.group,
      cell: ({ groupId, path }) => (
        <Anchor component={Link} to={`/groups/${groupId}`} size="sm" className="breakable">
          <PathText path={path} />
        </Anchor>
      ),
    },
    {
      id: 'computers',
      title: compliance.computers,
      width: 105,
      isAtEnd: true,
      cell: ({ computers }) => format.number(computers),
    },
    {
      id: 'compliant',
      title: compliance.compliantTitle,
      width: 230,
      cell: (row) => <Compliant row={row} />,
    },
    {
      id: 'withinSla',
      title: compliance.withinSlaTitle,
      width: 230,
      cell: (row) => <WithinSla row={row} />,
    },
    {
      id: 'overduePatches',
      title: compliance.overduePatches,
      width: 125,
      isAtEnd: true,
      cell: ({ overduePatches }) => format.number(overduePatches),
    },
    ...(Object.keys(severities) as Severity[]).map((severity) => ({
      id: severity,
      title: titleOf(severity),
      width: 105,
      isAtEnd: true,
      cell: (row: GroupCompliance) => <Missing row={row} severity={severity} title={titleOf(severity)} />,
    })),
  ]
}

function Compliant({ row: { path, computers, scanned, compliant } }: { row: GroupCompliance }) {
  const { compliance } = usePatchTexts()
  const format = useFormat()
  const percent = scanned === 0 ? '–' : format.percent(compliant / scanned)
  return (
    <div className={classes.compliant}>
      <span className={classes.percent} title={compliance.share(percent)}>
        {percent}
      </span>
      <OutcomeBar
        isCompact
        label={path}
        parts={[
          { kind: 'good', value: compliant, label: compliance.compliant },
          { kind: 'bad', value: scanned - compliant, label: compliance.missing },
          { kind: 'neutral', value: computers - scanned, label: compliance.notScanned },
        ]}
      />
    </div>
  )
}

function WithinSla({ row: { path, computers, scanned, withinSla } }: { row: GroupCompliance }) {
  const { compliance } = usePatchTexts()
  const format = useFormat()
  const percent = scanned === 0 ? '–' : format.percent(withinSla / scanned)
  return (
    <div className={classes.compliant}>
      <span className={classes.percent} title={compliance.slaShare(percent)}>
        {percent}
      </span>
      <OutcomeBar
        isCompact
        label={path}
        parts={[
          { kind: 'good', value: withinSla, label: compliance.withinSla },
          { kind: 'bad', value: scanned - withinSla, label: compliance.overdue },
          { kind: 'neutral', value: computers - scanned, label: compliance.notScanned },
        ]}
      />
    </div>
  )
}

type MissingProps = { row: GroupCompliance; severity: Severity; title: string }

/** The list of computers selects direct members, so only the number of a group without groups below it leads there. */
function Missing({ row: { groupId, path, members, computers, missing }, severity, title }: MissingProps) {
  const { compliance } = usePatchTexts()
  const format = useFormat()
  const count = missing[severity]
  if (count === 0) return <span className={classes.none}>0</span>
  if (members !== computers) return format.number(count)
  return (
    <Anchor
      component={Link}
      to={`/computers?groupId=${groupId}&missingSeverity=${severities[severity]}`}
      fz="inherit"
      aria-label={compliance.missingIn(title, count, path)}
    >
      {format.number(count)}
    </Anchor>
  )
}
