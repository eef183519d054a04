import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import { api } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { IconPlus } from '../../components/icons.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { NamedField } from '../../components/named-field.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useReportTexts } from '../../texts/report-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { type Licence, licencesKey } from './reports.ts'

type PanelName = 'edit' | 'delete'

export function LicenceList() {
  const texts = useReportTexts()
  const { licences } = texts
  const mayWrite = useHasRole('package.write')
  const { shown, open, onClose } = usePanels<PanelName, Licence | undefined>()
  const pages = useListPages({
    queryKey: [...licencesKey, 'list'],
    load: (page) => api.GET('/api/licences', { params: { query: { top: 50, ...page } } }),
  })
  const actions: Column<Licence> = {
    id: 'actions',
    title: licences.columns.actions,
    width: 210,
    cell: (licence) => (
      <Group gap="xs" wrap="nowrap">
        <Button
          size="compact-xs"
          variant="default"
          aria-label={licences.editTitle(licence.name)}
          onClick={() => open('edit', licence)}
        >
          {texts.edit}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          color="red"
          aria-label={licences.deleteTitle(licence.name)}
          onClick={() => open('delete', licence)}
        >
          {texts.delete}
        </Button>
      </Group>
    ),
  }
  const columns: Column<Licence>[] = [
    { id: 'name', title: licences.columns.name, cell: ({ name }) => name },
    { id: 'product', title: licences.columns.product, cell: ({ productPattern }) => productPattern },
    { id: 'owned', title: licences.columns.owned, width: 120, cell: ({ owned }) => owned },
    ...(mayWrite ? [actions] : []),
  ]
  return (
    <>
      {mayWrite && (
        <Group justify="flex-end" mb="sm">
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open('edit', undefined)}>
            {licences.create}
          </Button>
        </Group>
      )}
      <DataTable
        caption={texts.tabs.licences}
        columns={columns}
        rows={pages.rows}
        rowKey={({ id }) => id}
        error={pages.error}
        onRetry={pages.refetch}
        empty={{ title: licences.emptyTitle, text: licences.emptyText }}
        footer={<LoadMore query={pages} />}
      />
      {shown?.name === 'edit' && (
        <EditPanel key={shown.number} licence={shown.target} isOpen={shown.isOpen} onClose={onClose} />
      )}
      {shown?.name === 'delete' && shown.target && (
        <DeletePanel key={shown.number} licence={shown.target} isOpen={shown.isOpen} onClose={onClose} />
      )}
    </>
  )
}

/** Changes a licence, or creates one. */
function EditPanel({ licence, ...panel }: PanelProps & { licence: Licence | undefined }) {
  const { licences } = useReportTexts()
  const { common } = useTexts()
  const { fields } = licences
  const [typed, setTyped] = useState({
    name: licence?.name ?? '',
    productPattern: licence?.productPattern ?? '',
    owned: (licence?.owned ?? '') as number | string,
  })
  const [settled] = useDebouncedValue(typed, 250)
  const change = (changes: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...changes }))
  const isTyped = typed.name.trim() !== '' && typed.productPattern.trim() !== '' && typed.owned !== ''
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: licence ? licences.editTitle(licence.name) : licences.create,
        label: licence ? common.save : licences.create,
        requestKey: settled,
        isComplete: isTyped && settled === typed,
        form: (
          <Stack gap="sm">
            <NamedField name="name">
              <TextInput
                data-autofocus
                required
                label={fields.name}
                autoComplete="off"
                value={typed.name}
                onChange={(event) => change({ name: event.currentTarget.value })}
              />
            </NamedField>
            <NamedField name="productPattern">
              <TextInput
                required
                label={fields.productPattern}
                description={licences.patternHint}
                autoComplete="off"
                value={typed.productPattern}
                onChange={(event) => change({ productPattern: event.currentTarget.value })}
              />
            </NamedField>
            <NamedField name="owned">
              <NumberInput
                required
                label={fields.owned}
                min={0}
                allowDecimal={false}
                value={typed.owned}
                onChange={(owned) => change({ owned })}
              />
            </NamedField>
          </Stack>
        ),
        send({ uncounted: query, headers }) {
          const body = { ...typed, owned: Number(typed.owned) }
          return licence
            ? api.PATCH('/api/licences/{id}', { params: { path: { id: licence.id }, query, header: headers }, body })
            : api.POST('/api/licences', { params: { query, header: headers }, body })
        },
        describe: ({ answer }) => (licence ? licences.edits : licences.creates(answer.name)),
        done: (answer) => ({ text: licence ? common.saved : licences.created(answer.name) }),
        refreshes: [licencesKey],
      }}
    />
  )
}

function DeletePanel({ licence: { id, name }, ...panel }: PanelProps & { licence: Licence }) {
  const texts = useReportTexts()
  const { licences } = texts
  return (
    <ReviewPanel<unknown>
      {...panel}
      action={{
        title: licences.deleteTitle(name),
        label: texts.delete,
        send: ({ uncounted: query, headers }) =>
          api.DELETE('/api/licences/{id}', {
            params: { path: { id }, query, header: headers },
          }),
        describe: () => licences.deletes,
        done: () => ({ text: licences.deleted(name) }),
        refreshes: [licencesKey],
      }}
    />
  )
}
