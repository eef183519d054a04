import { ActionIcon, Anchor, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { answerOf, api } from '../../api/client.ts'
import { type View, viewsKey } from '../../api/views.ts'
import { IconPencil, IconTrash, IconUsers } from '../../components/icons.ts'
import { ProblemView } from '../../components/problem-view.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { addressOfView, type ViewContent } from './view-address.ts'
import { ViewForm } from './view-form.tsx'

type ViewsPanelProps = {
  views: readonly View[]
  content: ViewContent
  /** The view that is shown. */
  current: View | undefined
  close: () => void
}

/** Chooses, saves, shares and deletes views. */
export function ViewsPanel({ views, content, current, close }: ViewsPanelProps) {
  const { computers } = useTexts()
  const texts = computers.views
  const [edited, setEdited] = useState<View>()
  const changes = useViewChanges()
  const save = async (name: string, sharedWith: View['sharedWith']) => {
    const replaced = edited ?? views.find((view) => view.isOwn && view.name.toLowerCase() === name.toLowerCase())
    // A view that is renamed or shared keeps its list.
    const body = edited ? { name, sharedWith } : { ...content, name, sharedWith }
    await changes.save({ id: replaced?.id, body: { ...content, ...body }, isListKept: edited !== undefined })
    notifications.show({ message: texts.saved(name), color: 'green' })
    close()
  }
  return (
    <Stack gap="xs">
      <Anchor component={Link} to="/computers" size="sm" onClick={close}>
        {texts.all}
      </Anchor>
      {views.map((view) => (
        <Group key={view.id} justify="space-between" wrap="nowrap" gap="xs">
          <Stack gap={0} miw={0}>
            <Anchor
              component={Link}
              to={`/computers${addressOfView(view)}`}
              size="sm"
              truncate
              onClick={close}
              aria-current={view.id === current?.id || undefined}
            >
              {view.name}
            </Anchor>
            <SharingOf view={view} />
          </Stack>
          {view.mayChange && (
            <Group gap={2} wrap="nowrap">
              <ActionIcon variant="subtle" size="sm" aria-label={texts.edit(view.name)} onClick={() => setEdited(view)}>
                <IconPencil size={14} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                size="sm"
                aria-label={texts.remove(view.name)}
                onClick={() => changes.remove(view.id)}
              >
                <IconTrash size={14} aria-hidden />
              </ActionIcon>
            </Group>
          )}
        </Group>
      ))}
      {views.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.none}
        </Text>
      )}
      {changes.error && <ProblemView error={changes.error} onRetry={changes.reset} />}
      <ViewForm
        key={edited?.id ?? 'new'}
        views={views}
        edited={edited}
        isSaving={changes.isSaving}
        onSave={save}
        onCancel={() => setEdited(undefined)}
      />
    </Stack>
  )
}

function SharingOf({ view: { sharedWith, isOwn, savedBy } }: { view: View }) {
  const { computers } = useTexts()
  if (sharedWith.length === 0) return null
  const roles = sharedWith.join(', ')
  return (
    <Text size="xs" c="dimmed" truncate title={roles}>
      <IconUsers size={12} aria-hidden />{' '}
      {isOwn || !savedBy ? computers.views.sharedWith(roles) : computers.views.sharedBy(savedBy)}
    </Text>
  )
}

type Save = {
  id: string | undefined
  body: ViewContent & { name: string; sharedWith: View['sharedWith'] }
  isListKept: boolean
}

function useViewChanges() {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: viewsKey })
  const saving = useMutation({
    mutationFn: ({ id, body, isListKept }: Save) => {
      if (id === undefined) return answerOf(api.POST('/api/views', { body: { page: 'computers', ...body } }))
      const { name, sharedWith } = body
      return answerOf(
        api.PATCH('/api/views/{id}', { params: { path: { id } }, body: isListKept ? { name, sharedWith } : body }),
      )
    },
    onSettled,
  })
  const removing = useMutation({
    mutationFn: (id: string) => answerOf(api.DELETE('/api/views/{id}', { params: { path: { id } } })),
    onSettled,
  })
  return {
    save: saving.mutateAsync,
    remove: removing.mutate,
    error: saving.error ?? removing.error,
    reset: () => {
      saving.reset()
      removing.reset()
    },
    isSaving: saving.isPending,
  }
}
