import { Anchor, Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from 'react-router'
import { api, type Schemas } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { IconPlus } from '../../components/icons.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useFormat } from '../../texts/format.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { AddPatch } from './add-patch.tsx'
import { RemoveButton } from './remove-button.tsx'

type GroupPatch = Schemas['PmGroupPatch']

/** The patches of the group, each for one product version. */
export function GroupPatches({ data }: { data: Schemas['PatchGroupPage'] }) {
  const patches = usePatchTexts()
  const format = useFormat()
  const mayWrite = useHasRole('pm.write')
  const [isAdding, panel] = useDisclosure()
  const id = data.pmGroup.id
  const pages = useListPages({
    queryKey: ['patches', 'group', id, 'patches'],
    load: (page) => api.GET('/api/pmgroup/{id}/patches', { params: { path: { id }, query: { top: 50, ...page } } }),
  })
  const columns: Column<GroupPatch>[] = [
    {
      id: 'name',
      title: patches.columns.name,
      cell: ({ patchId, patchName, qNumber }) => (
        <>
          <Anchor component={Link} to={`/patches/${patchId}`} size="sm" fw={600}>
            {patchName ?? `#${patchId}`}
          </Anchor>
          {qNumber && (
            <Text size="xs" c="dimmed">
              {qNumber}
            </Text>
          )}
        </>
      ),
    },
    { id: 'product', title: patches.patch.product, cell: ({ productName }) => productName },
    { id: 'severity', title: patches.columns.severity, cell: ({ vendorSeverity }) => vendorSeverity, width: 120 },
    {
      id: 'released',
      title: patches.columns.released,
      cell: ({ releaseDate }) => releaseDate && format.date(releaseDate),
      width: 130,
    },
    {
      id: 'approval',
      title: patches.columns.approval,
      cell: ({ isApproved }) => (
        <StatusBadge kind={isApproved ? 'good' : 'neutral'}>
          {isApproved ? patches.approved : patches.notApproved}
        </StatusBadge>
      ),
      width: 150,
    },
    ...(mayWrite
      ? [
          {
            id: 'remove',
            title: patches.columns.change,
            cell: (patch: GroupPatch) => <RemovePatch groupId={id} patch={patch} />,
            width: 60,
          },
        ]
      : []),
  ]
  return (
    <Section
      title={patches.group.patches}
      actions={
        mayWrite && (
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={panel.open}>
            {patches.group.add}
          </Button>
        )
      }
    >
      <DataTable
        caption={patches.group.patches}
        columns={columns}
        rows={pages.rows}
        rowKey={({ patchId, productId }) => `${patchId} ${productId}`}
        error={pages.error}
        onRetry={pages.refetch}
        empty={{ title: patches.emptyTitle, text: patches.group.noPatches }}
        footer={<LoadMore query={pages} />}
      />
      {isAdding && <AddPatch groupId={id} onClose={panel.close} />}
    </Section>
  )
}

function RemovePatch({ groupId, patch }: { groupId: number; patch: GroupPatch }) {
  const { group } = usePatchTexts()
  const { patchId, productId } = patch
  return (
    <RemoveButton
      label={group.removePatch(patch.patchName ?? String(patchId))}
      groupId={groupId}
      action={{
        title: group.removeTitle,
        requestKey: ['remove', groupId, patchId, productId],
        send: ({ query }) =>
          api.DELETE('/api/pmgroup/{id}/patches/{patchId}', {
            params: { path: { id: groupId, patchId }, query: { productId, ...query } },
          }),
        describe: ({ computers = 0 }) => group.removeText(computers),
        done: () => ({ text: group.removed }),
      }}
    />
  )
}
