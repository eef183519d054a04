import { Anchor, Button, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { Link } from 'react-router'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { useAskedPanel } from '../../actions/use-asked-panel.ts'
import { api } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import type { components } from '../../api/types.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { IconPlus } from '../../components/icons.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { NamedField } from '../../components/named-field.tsx'
import { Section } from '../../components/section.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useFormat } from '../../texts/format.ts'
import { type PatchTexts, usePatchTexts } from '../../texts/patch-texts.ts'
import classes from './patches.module.css'

type PmGroup = components['schemas']['PmGroup']

/** The patch management groups. */
export function PatchGroups() {
  const patches = usePatchTexts()
  const format = useFormat()
  const mayWrite = useHasRole('pm.write')
  const pages = useListPages({
    queryKey: ['patches', 'groups'],
    load: (page) => api.GET('/api/pmgroup', { params: { query: { top: 50, ...page } } }),
  })
  return (
    <Section title={patches.groupsTitle} actions={mayWrite && <CreateGroup />}>
      <DataTable
        caption={patches.groupsTitle}
        columns={columnsOf(patches.groups, format)}
        rows={pages.rows}
        rowKey={({ id }) => id}
        error={pages.error}
        onRetry={pages.refetch}
        empty={{ title: patches.groups.emptyTitle, text: patches.groups.emptyText }}
        footer={<LoadMore query={pages} />}
      />
    </Section>
  )
}

function columnsOf(texts: PatchTexts['groups'], format: ReturnType<typeof useFormat>): Column<PmGroup>[] {
  const number = (value: number) => <span className={classes.number}>{format.number(value)}</span>
  return [
    {
      id: 'name',
      title: texts.name,
      cell: ({ id, name, description }) => (
        <>
          <Anchor component={Link} to={`/patch-groups/${id}`} size="sm" fw={600}>
            {name}
          </Anchor>
          {description && (
            <Text size="xs" c="dimmed">
              {description}
            </Text>
          )}
        </>
      ),
    },
    { id: 'category', title: texts.category, cell: ({ category }) => texts.categories[category], width: 150 },
    { id: 'patches', title: texts.patchCount, cell: ({ patchCount }) => number(patchCount), width: 110 },
    { id: 'assignments', title: texts.assignments, cell: ({ assignmentCount }) => number(assignmentCount), width: 130 },
  ]
}

function CreateGroup() {
  const { groups } = usePatchTexts()
  const [isOpen, panel] = useDisclosure()
  useAskedPanel('createPatchGroup', panel.open)
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [category, setCategory] = useState<PmGroup['category']>('Patch')
  const body = { name: name.trim(), category, description: description.trim() || null }
  const form = (
    <Stack>
      <NamedField name="name">
        <TextInput
          label={groups.name}
          required
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
      </NamedField>
      <NamedField name="description">
        <TextInput
          label={groups.description}
          maxLength={1000}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      </NamedField>
      <NamedField name="category">
        <Select
          label={groups.category}
          allowDeselect={false}
          data={Object.entries(groups.categories).map(([value, label]) => ({ value, label }))}
          value={category}
          onChange={(value) => setCategory(value === 'ServicePack' ? value : 'Patch')}
        />
      </NamedField>
    </Stack>
  )
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={panel.open}>
        {groups.create}
      </Button>
      <ReviewPanel<PmGroup>
        isOpen={isOpen}
        onClose={panel.close}
        action={{
          title: groups.create,
          label: groups.create,
          form,
          isComplete: body.name !== '',
          requestKey: body,
          send: ({ uncounted: query, headers }) =>
            api.POST('/api/pmgroup', { params: { query, header: headers }, body }),
          describe: () => groups.createText,
          done: ({ id }) => ({ text: groups.created, to: `/patch-groups/${id}` }),
          refreshes: [['patches', 'groups']],
        }}
      />
    </>
  )
}
