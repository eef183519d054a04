import { Button, Group, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DeleteReview } from '../../actions/delete-review.tsx'
import { EditReview } from '../../actions/edit-review.tsx'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { useAskedPanel } from '../../actions/use-asked-panel.ts'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import { api, type Schemas, versionOf } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { IconPlus } from '../../components/icons.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { NamedField } from '../../components/named-field.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useTagTexts } from '../../texts/tag-texts.ts'
import { RowAction } from '../groups/tabs/row-action.tsx'
import { depotsKey } from './depots.ts'
import { TableSection } from './table-section.tsx'

type Tag = Schemas['Tag']
type PanelName = 'edit' | 'delete'

const tagsKey = ['tags'] as const

/** The tags, which packages, depots and computers share. */
export function TagsTab() {
  const texts = useTagTexts()
  const mayWrite = useHasRole('package.write')
  const { shown, open, onClose } = usePanels<PanelName | 'create', Tag | undefined>()
  useAskedPanel('newTag', () => open('create', undefined))
  const pages = useListPages({
    queryKey: [...tagsKey, 'list'],
    load: (page) => api.GET('/api/tags', { params: { query: { top: 100, ...page } } }),
  })
  const panel = shown && { isOpen: shown.isOpen, onClose }
  return (
    <TableSection
      title={texts.tab}
      actions={
        mayWrite && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open('create', undefined)}>
            {texts.create}
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed">
        {texts.hint}
      </Text>
      <DataTable
        caption={texts.tab}
        columns={useColumns(mayWrite, open)}
        rows={pages.rows}
        rowKey={({ id }) => id}
        error={pages.error}
        onRetry={pages.refetch}
        empty={{ title: texts.emptyTitle, text: texts.emptyText }}
        footer={<LoadMore query={pages} />}
      />
      {panel && shown.name === 'create' && <CreatePanel key={shown.number} {...panel} />}
      {panel && shown.name === 'edit' && shown.target && <EditPanel key={shown.number} tag={shown.target} {...panel} />}
      {panel && shown.name === 'delete' && shown.target && (
        <DeletePanel key={shown.number} tag={shown.target} {...panel} />
      )}
    </TableSection>
  )
}

function useColumns(mayWrite: boolean, open: (name: PanelName, tag: Tag) => void): Column<Tag>[] {
  const texts = useTagTexts()
  const { columns } = texts
  const actions: Column<Tag> = {
    id: 'actions',
    title: columns.actions,
    width: 190,
    cell: (tag) =>
      tag.isReadOnly ? (
        texts.readOnly
      ) : (
        <Group gap={4} wrap="nowrap">
          <RowAction text={texts.edit} label={texts.editLabel(tag.designation)} onClick={() => open('edit', tag)} />
          <RowAction
            removes
            text={texts.delete}
            label={texts.deleteLabel(tag.designation)}
            onClick={() => open('delete', tag)}
          />
        </Group>
      ),
  }
  return [
    { id: 'name', title: columns.name, width: 300, cell: ({ designation }) => designation },
    { id: 'description', title: columns.description, cell: ({ description }) => description ?? '–' },
    ...(mayWrite ? [actions] : []),
  ]
}

type TagValues = { designation: string; description: string | null }

type TagFieldsProps = { value: TagValues; onChange: (changes: Partial<TagValues>) => void }

function TagFields({ value, onChange }: TagFieldsProps) {
  const { columns } = useTagTexts()
  return (
    <>
      <NamedField name="designation">
        <TextInput
          data-autofocus
          required
          label={columns.name}
          autoComplete="off"
          value={value.designation}
          onChange={(event) => onChange({ designation: event.currentTarget.value })}
        />
      </NamedField>
      <NamedField name="description">
        <TextInput
          label={columns.description}
          autoComplete="off"
          value={value.description ?? ''}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
        />
      </NamedField>
    </>
  )
}

function CreatePanel(panel: PanelProps) {
  const texts = useTagTexts()
  const [typed, setTyped] = useState<TagValues>({ designation: '', description: '' })
  const [settled] = useDebouncedValue(typed, 250)
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: texts.create,
        label: texts.create,
        requestKey: settled,
        isComplete: typed.designation.trim() !== '' && settled === typed,
        form: <TagFields value={typed} onChange={(changes) => setTyped((before) => ({ ...before, ...changes }))} />,
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/tags', {
            params: { query, header: headers },
            body: { designation: typed.designation, description: typed.description || null },
          }),
        describe: ({ answer }) => texts.creates(answer.designation),
        done: ({ designation }) => ({ text: texts.created(designation) }),
        refreshes: [tagsKey],
      }}
    />
  )
}

/** The tag with its version, as it is changed and deleted. */
function useTagVersion(id: number) {
  return useQuery({
    queryKey: [...tagsKey, 'version', id],
    queryFn: () => versionOf(api.GET('/api/tags/{id}', { params: { path: { id } } })),
    gcTime: 0,
    // Not current by itself: the service compares what the person has seen.
    staleTime: Infinity,
  })
}

function EditPanel({ tag, ...panel }: PanelProps & { tag: Tag }) {
  const texts = useTagTexts()
  const { columns } = texts
  const { id, designation } = tag
  const { data: version, error } = useTagVersion(id)
  return (
    <EditReview
      {...panel}
      version={version}
      known={tag}
      error={error}
      title={texts.editLabel(designation)}
      labels={{ designation: columns.name, description: columns.description }}
      fields={(values, type) => <TagFields value={values} onChange={type} />}
      isComplete={(values) => values.designation.trim() !== ''}
      send={({ uncounted: query, headers }, { typed }) =>
        api.PATCH('/api/tags/{id}', {
          params: { path: { id }, query, header: headers },
          body: {
            ...(typed.designation !== undefined && { designation: typed.designation }),
            ...(typed.description !== undefined && { description: typed.description ?? '' }),
          },
        })
      }
      describe={({ answer }) => texts.edits(answer.designation)}
      refreshes={[tagsKey, depotsKey, ['packages']]}
    />
  )
}

function DeletePanel({ tag: { id, designation }, ...panel }: PanelProps & { tag: Tag }) {
  const texts = useTagTexts()
  const { columns } = texts
  const { data: version } = useTagVersion(id)
  return (
    <DeleteReview
      {...panel}
      version={version}
      labels={{ designation: columns.name, description: columns.description }}
      title={texts.deleteLabel(designation)}
      label={texts.delete}
      send={({ uncounted: query, headers }) =>
        api.DELETE('/api/tags/{id}', { params: { path: { id }, query, header: headers } })
      }
      describe={() => texts.deletes(designation)}
      done={() => ({ text: texts.deleted(designation) })}
      refreshes={[tagsKey, depotsKey, ['packages']]}
    />
  )
}
