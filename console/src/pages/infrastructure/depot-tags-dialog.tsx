import { Pill, Select, Stack, Text } from '@mantine/core'
import { visibleLine } from '@muster/text'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemAlert } from '../../components/problem-view.tsx'
import { unguarded } from '../../components/use-input-guard.tsx'
import { useInfrastructureTexts } from '../../texts/infrastructure-texts.ts'
import { type Depot, depotName, depotsKey } from './depots.ts'

type DepotTagsDialogProps = { depot: Depot; isOpen: boolean; onClose: () => void }

/** Adds and removes tags of a depot, one at a time and at once. */
export function DepotTagsDialog({ depot, isOpen, onClose }: DepotTagsDialogProps) {
  const infrastructure = useInfrastructureTexts()
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={infrastructure.depots.tagsTitle(depotName(depot))}>
      <TagEditor depot={depot} />
    </Dialog>
  )
}

function TagEditor({ depot: { clientId, tags } }: { depot: Depot }) {
  const { depots } = useInfrastructureTexts()
  const queryClient = useQueryClient()
  const all = useQuery({
    queryKey: ['tags'],
    queryFn: () => answerOf(api.GET('/api/tags', { params: { query: { top: 1000 } } })),
  })
  const change = useMutation({
    mutationFn: ({ tagId, isAdded }: { tagId: number; isAdded: boolean }): Promise<unknown> =>
      isAdded
        ? api.POST('/api/depots/{clientId}/tags', { params: { path: { clientId } }, body: { tagId } })
        : api.DELETE('/api/depots/{clientId}/tags/{tagId}', { params: { path: { clientId, tagId } } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: depotsKey }),
  })
  const missing = (all.data?.items ?? []).filter(({ id }) => !tags.some((tag) => tag.id === id))
  return (
    <Stack {...unguarded}>
      {tags.length === 0 ? (
        <Text size="sm">{depots.noTags}</Text>
      ) : (
        <Pill.Group disabled={change.isPending}>
          {tags.map(({ id, designation }) => (
            <Pill
              key={id}
              withRemoveButton
              onRemove={() => change.mutate({ tagId: id, isAdded: false })}
              removeButtonProps={{ 'aria-label': depots.removeTag(designation), 'aria-hidden': false, tabIndex: 0 }}
            >
              {designation}
            </Pill>
          ))}
        </Pill.Group>
      )}
      <Select
        comboboxProps={{ withinPortal: false }}
        data-autofocus
        label={depots.addTag}
        data={missing.map(({ id, designation }) => ({ value: String(id), label: visibleLine(designation) }))}
        value={null}
        onChange={(id) => id && change.mutate({ tagId: Number(id), isAdded: true })}
        nothingFoundMessage={depots.noTag}
        searchable
        disabled={change.isPending}
      />
      <ProblemAlert error={all.error ?? change.error} />
    </Stack>
  )
}
