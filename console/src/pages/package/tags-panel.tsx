import { MultiSelect, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { answerOf, api, versionOf } from '../../api/client.ts'
import type { Package } from '../../api/packages.ts'
import { ProblemAlert } from '../../components/problem-view.tsx'
import { useTexts } from '../../texts/texts.tsx'

type TagsPanelProps = { isOpen: boolean; onClose: () => void; found: Package }

/** Sets the tags of the package. The version makes sure that nobody else's tags are lost. */
export function TagsPanel({ isOpen, onClose, found: { id, name } }: TagsPanelProps) {
  const { actions } = useTexts().packages
  const [edited, setEdited] = useState<string[]>()
  const current = useQuery({
    queryKey: ['package', id, 'tags'],
    queryFn: () => versionOf(api.GET('/api/packages/{id}/tags', { params: { path: { id } } })),
    enabled: isOpen,
  })
  const chosen = edited ?? current.data?.value.items.map((tag) => String(tag.id)) ?? []
  const close = () => {
    setEdited(undefined)
    onClose()
  }
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={close}
      action={{
        title: actions.tagsTitle(name),
        label: actions.save,
        requestKey: { chosen, etag: current.data?.etag },
        isComplete: current.data !== undefined && edited !== undefined,
        ...(current.data && { etag: current.data.etag }),
        form: current.data ? (
          <TagsField value={chosen} onChange={setEdited} />
        ) : (
          <>
            <ProblemAlert error={current.error} />
            <Skeleton h={36} />
          </>
        ),
        send: ({ query: { dryRun }, headers }) =>
          api.PUT('/api/packages/{id}/tags', {
            params: { path: { id }, query: { ...(dryRun && { dryRun }) }, header: headers },
            body: { tagIds: chosen.map(Number) },
          }),
        describe: () => actions.tagged(chosen.length),
        done: () => ({ text: actions.tagsSaved }),
        refreshes: [['package', id], ['packages']],
      }}
    />
  )
}

function TagsField({ value, onChange }: { value: string[]; onChange: (ids: string[]) => void }) {
  const { actions } = useTexts().packages
  const { data } = useQuery({
    queryKey: ['tags'],
    queryFn: () => answerOf(api.GET('/api/tags', { params: { query: { top: 1000 } } })),
  })
  return (
    <MultiSelect
      data-autofocus
      label={actions.tagsField}
      description={actions.tagsHint}
      data={data?.items.map(({ id, designation }) => ({ value: String(id), label: designation })) ?? []}
      value={value}
      onChange={onChange}
      searchable
      clearable
    />
  )
}
