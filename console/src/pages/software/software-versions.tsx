import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { IconDeviceDesktop, IconDownload } from '../../components/icons.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useFormat } from '../../texts/format.ts'
import { useSoftwareTexts } from '../../texts/software-texts.ts'
import { computersAddress, csvAddress, type SoftwareQuery } from './software-query.ts'

type Found = Schemas['SoftwareVersions']
type Version = Found['versions'][number]
type SoftwareVersionsProps = { query: SoftwareQuery; chooseName: (name: string) => void }

/** The versions that meet the condition, with their computers and what can be done with these. */
export function SoftwareVersions({ query, chooseName }: SoftwareVersionsProps) {
  const texts = useSoftwareTexts()
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['software', 'versions', query],
    queryFn: ({ signal }) => answerOf(api.GET('/api/fleet/software', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })
  const columns = useColumns(query)
  // The numbers of another condition must not stand beside this one.
  const shown = isPlaceholderData ? undefined : data
  return (
    <>
      {shown && shown.versions.length > 0 && <Summary query={query} found={shown} />}
      {shown && shown.unknownVersions > 0 && (
        <Alert color="yellow" py="xs">
          {texts.unknown(shown.unknownVersions)}
        </Alert>
      )}
      {shown?.versions.length === 0 && <SimilarNames name={query.software} chooseName={chooseName} />}
      <DataTable
        caption={texts.list}
        columns={columns}
        rows={shown?.versions}
        rowKey={({ name, version, publisher }) => JSON.stringify([name, version, publisher])}
        error={isPlaceholderData ? null : error}
        onRetry={refetch}
        empty={{ title: texts.nothing, text: texts.nothingHint }}
      />
    </>
  )
}

function Summary({ query, found }: { query: SoftwareQuery; found: Found }) {
  const texts = useSoftwareTexts()
  const mayReadPackages = useHasRole('package.read')
  const words = query.software.replaceAll(/[*?]/g, ' ').trim()
  return (
    <div>
      <Group gap="sm" justify="space-between">
        <Text fw={600} role="status">
          {texts.found(found.computers, found.versions.length)}
        </Text>
        <Group gap="xs">
          {mayReadPackages && words !== '' && (
            <Anchor component={Link} to={`/packages?${new URLSearchParams({ search: words })}`} size="sm">
              {texts.packages(words)}
            </Anchor>
          )}
          <Button
            component="a"
            href={csvAddress(query)}
            download
            variant="default"
            size="compact-sm"
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            {texts.csv}
          </Button>
          <Button
            component={Link}
            to={computersAddress(query)}
            size="compact-sm"
            leftSection={<IconDeviceDesktop size={14} aria-hidden />}
          >
            {texts.showComputers(found.computers)}
          </Button>
        </Group>
      </Group>
      <Text size="xs" c="dimmed">
        {texts.showHint}
      </Text>
    </div>
  )
}

/** A name that no computer has is often a part of one. */
function SimilarNames({ name, chooseName }: { name: string; chooseName: (name: string) => void }) {
  const texts = useSoftwareTexts()
  const words = name.replaceAll(/[*?]/g, ' ').trim()
  const { data = [] } = useQuery({
    queryKey: ['software', 'names', words],
    queryFn: () => answerOf(api.GET('/api/fleet/software/names', { params: { query: { search: words, top: 20 } } })),
    enabled: words !== '',
  })
  const others = data.filter((other) => other.toLowerCase() !== name.toLowerCase())
  if (others.length === 0) return null
  return (
    <Group gap="xs">
      <Text size="sm">{texts.similar}</Text>
      {others.map((other) => (
        <Button key={other} variant="default" size="compact-xs" fw={400} onClick={() => chooseName(other)}>
          {other}
        </Button>
      ))}
    </Group>
  )
}

function useColumns({ software: _, ...condition }: SoftwareQuery): Column<Version>[] {
  const texts = useSoftwareTexts()
  const format = useFormat()
  const { columns } = texts
  const addressOf = ({ name, version }: Version) =>
    computersAddress({ software: name, ...(version === null ? condition : { softwareVersion: version }) })
  return [
    { id: 'name', title: columns.name, cell: ({ name }) => <span className="breakable">{name}</span> },
    { id: 'version', title: columns.version, cell: ({ version }) => version ?? texts.noVersion },
    { id: 'publisher', title: columns.publisher, cell: ({ publisher }) => publisher },
    {
      id: 'computers',
      title: columns.computers,
      width: 140,
      cell: (version) => (
        <Anchor component={Link} to={addressOf(version)} size="sm">
          {format.number(version.computers)}
        </Anchor>
      ),
    },
  ]
}
