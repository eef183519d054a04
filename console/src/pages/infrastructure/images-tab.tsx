import { Anchor, Code, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answerOf, api } from '../../api/client.ts'
import type { components } from '../../api/types.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useInfrastructureTexts } from '../../texts/infrastructure-texts.ts'
import { OsInstallations } from './os-installations.tsx'
import { TableSection } from './table-section.tsx'

type Schemas = components['schemas']
type SystemImage = Schemas['OperatingSystemImport']
type BootImage = Schemas['PxeBootImage']

// There are few images: one page shows all of them.
const params = { query: { top: 1000 } }

export function ImagesTab() {
  const { images } = useInfrastructureTexts()
  const mayReadComputers = useHasRole('computer.read')
  const systems = useQuery({
    queryKey: ['packages', 'systems'],
    queryFn: () => answerOf(api.GET('/api/operating-system-imports', { params })),
  })
  const boot = useQuery({
    queryKey: ['packages', 'boot-images'],
    queryFn: () => answerOf(api.GET('/api/pxe-bootimages', { params })),
  })
  return (
    <Stack gap="xl">
      {mayReadComputers && <OsInstallations />}
      <TableSection title={images.systems}>
        <DataTable
          caption={images.systems}
          columns={useSystemColumns()}
          rows={systems.data?.items}
          rowKey={({ id }) => id}
          error={systems.error}
          onRetry={systems.refetch}
          empty={{ title: images.systemsEmptyTitle, text: images.systemsEmptyText }}
        />
      </TableSection>
      <TableSection title={images.boot}>
        <DataTable
          caption={images.boot}
          columns={useBootColumns()}
          rows={boot.data?.items}
          rowKey={({ id }) => id}
          error={boot.error}
          onRetry={boot.refetch}
          empty={{ title: images.bootEmptyTitle, text: images.bootEmptyText }}
        />
      </TableSection>
    </Stack>
  )
}

function useSystemColumns(): Column<SystemImage>[] {
  const { columns } = useInfrastructureTexts().images
  return [
    { id: 'name', title: columns.name, cell: ({ id, name }) => <PackageLink id={id} name={name} /> },
    { id: 'version', title: columns.version, width: 110, cell: ({ version }) => version ?? '–' },
    { id: 'system', title: columns.system, cell: ({ os }) => os ?? '–' },
    {
      id: 'editions',
      title: columns.editions,
      cell: ({ skus }) => skus.map(({ edition }) => edition).join(', ') || '–',
    },
    { id: 'language', title: columns.language, width: 110, cell: ({ osLanguage }) => osLanguage ?? '–' },
    {
      id: 'architecture',
      title: columns.architecture,
      width: 120,
      cell: ({ osArchitecture }) => osArchitecture ?? '–',
    },
    { id: 'released', title: columns.released, width: 150, cell: (image) => <Release {...image} /> },
  ]
}

function useBootColumns(): Column<BootImage>[] {
  const { columns } = useInfrastructureTexts().images
  return [
    { id: 'name', title: columns.name, cell: ({ packageId, name }) => <PackageLink id={packageId} name={name} /> },
    { id: 'version', title: columns.version, width: 110, cell: ({ version }) => version ?? '–' },
    { id: 'architecture', title: columns.architecture, width: 120, cell: ({ architecture }) => architecture ?? '–' },
    {
      id: 'files',
      title: columns.files,
      cell: ({ loaderPath, kernelPath, initrdPath }) =>
        [loaderPath, kernelPath, initrdPath].map(
          (path) =>
            path && (
              <Code key={path} display="block">
                {path}
              </Code>
            ),
        ),
    },
    {
      id: 'arguments',
      title: columns.arguments,
      cell: ({ kernelArguments }) => (kernelArguments ? <Code>{kernelArguments}</Code> : '–'),
    },
    { id: 'released', title: columns.released, width: 150, cell: (image) => <Release {...image} /> },
  ]
}

function PackageLink({ id, name }: { id: string; name: string }) {
  return (
    <Anchor component={Link} to={`/packages/${id}`} size="sm" fw={600}>
      {name}
    </Anchor>
  )
}

function Release({ operational }: { operational: boolean }) {
  const { images } = useInfrastructureTexts()
  return (
    <StatusBadge kind={operational ? 'good' : 'neutral'}>
      {operational ? images.released : images.notReleased}
    </StatusBadge>
  )
}
