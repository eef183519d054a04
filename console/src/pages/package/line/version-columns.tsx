import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { LineVersion } from '../../../api/package-lines.ts'
import type { Column } from '../../../components/data-table.tsx'
import { useFormat } from '../../../texts/format.ts'
import { usePackageLineTexts } from '../../../texts/package-line-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { ReleaseBadge } from '../../packages/package-badges.tsx'
import { VersionState } from './version-state.tsx'

/** The columns of a table of versions. `ownId` is the package whose page shows it. */
export function useVersionColumns(ownId?: string): Column<LineVersion>[] {
  const { columns } = usePackageLineTexts()
  const { packages } = useTexts()
  const format = useFormat()
  const numberOf = (id: 'installedCount' | 'pendingCount', title: string): Column<LineVersion> => ({
    ...{ id, title, width: 110 },
    cell: (version) => format.number(version[id]),
  })
  return [
    {
      id: 'version',
      title: columns.version,
      cell: (version) => <VersionName version={version} isOwn={version.id === ownId} />,
    },
    { id: 'state', title: columns.state, width: 130, cell: (version) => <VersionState {...version} /> },
    { id: 'release', title: packages.columns.release, width: 140, cell: (version) => <ReleaseBadge {...version} /> },
    { id: 'groups', title: columns.groups, cell: (version) => <AssignedGroups version={version} /> },
    numberOf('installedCount', columns.installed),
    numberOf('pendingCount', columns.pending),
    { id: 'size', title: columns.size, width: 100, cell: ({ sizeBytes }) => format.bytes(sizeBytes) },
  ]
}

function VersionName({ version, isOwn }: { version: LineVersion; isOwn: boolean }) {
  const { thisVersion } = usePackageLineTexts()
  const { id, version: number, revision, os, name } = version
  const label = [number ?? name, revision && `(${revision})`].filter(Boolean).join(' ')
  return (
    <Stack gap={0}>
      {isOwn ? (
        <Text size="sm" fw={600}>
          {label} · {thisVersion}
        </Text>
      ) : (
        <Anchor component={Link} to={`/packages/${id}`} size="sm">
          {label}
        </Anchor>
      )}
      <Text size="xs" c="dimmed">
        {os.join(', ')}
      </Text>
    </Stack>
  )
}

const maxShownGroups = 3

function AssignedGroups({ version: { groups, groupCount, softwareClassCount } }: { version: LineVersion }) {
  const { inClasses } = usePackageLineTexts()
  const format = useFormat()
  const more = groupCount - Math.min(groups.length, maxShownGroups)
  return (
    <Stack gap={0}>
      {groups.slice(0, maxShownGroups).map(({ groupId, path }) => (
        <Anchor key={groupId} component={Link} to={`/groups/${groupId}`} size="xs" className="breakable">
          {path}
        </Anchor>
      ))}
      {more > 0 && (
        <Text size="xs" c="dimmed">
          +{format.number(more)}
        </Text>
      )}
      {softwareClassCount > 0 && (
        <Text size="xs" c="dimmed">
          {inClasses(softwareClassCount)}
        </Text>
      )}
    </Stack>
  )
}
