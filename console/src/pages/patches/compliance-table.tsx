import { Anchor, Box, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { api, type Schemas } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { DataAge } from '../../components/data-age.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { OutcomeBar } from '../../components/outcome-bar.tsx'
import { PathText } from '../../components/path-text.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useFormat } from '../../texts/format.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './compliance.module.css'

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
  const filters = useFilters(['group'])
  const { group: search } = filters.values
  const pages = useListPages({
    queryKey: ['patches', 'compliance', search],
    load: (page) =>
      api.GET('/api/fleet/patch-compliance', { params: { query: { top: 50, ...(search && { search }), ...page } } }),
  })
  const age = pages.first?.calculatedAtUtc
  return (
    <>
      <Group justify="space-between" align="flex-end" mb="sm">
        <Box miw={260}>
          <SearchField
            label={compliance.search}
            placeholder={compliance.searchHint}
            value={search}
            onSearch={(text) => filters.set({ group: text })}
          />
        </Box>
        {age && <DataAge atUtc={age} />}
      </Group>
      <Text size="sm" c="dimmed" mb="sm" maw={760}>
        {compliance.tableHint}
      </Text>
      <DataTable
        caption={compliance.title}
        columns={useColumns()}
        rows={pages.rows}
        rowKey={({ groupId }) => groupId}
        error={pages.error}
        onRetry={pages.refetch}
        empty={
          search ? { title: common.nothingFound, text: common.nothingFoundHint } : { title: compliance.empty, text: '' }
        }
        footer={<LoadMore query={pages} />}
      />
    </>
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
