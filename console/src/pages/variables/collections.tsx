import { Accordion, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { usePanels } from '../../actions/use-panels.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { IconPlus } from '../../components/icons.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useCollectionTexts } from '../../texts/collection-texts.ts'
import { RowAction } from '../groups/tabs/row-action.tsx'
import { DeleteEntryPanel, EntryPanel } from './collection-panels.tsx'
import {
  childrenQuery,
  collectionsQuery,
  type Definition,
  type Entry,
  entriesQuery,
  type Place,
} from './collection-requests.ts'

type CollectionsProps = { place: Place; mayWrite: boolean }

/**
 * The variables that are lists of entries. Those that are set at this place are read when a collection is opened. Definitions need a role
 * of their own.
 */
export function Collections(props: CollectionsProps) {
  return useHasRole('package.read') ? <AllCollections {...props} /> : null
}

function AllCollections(props: CollectionsProps) {
  const { data = [] } = useQuery(collectionsQuery)
  return (
    <Accordion variant="contained" multiple order={2} keepMounted={false}>
      {data.map((definition) => (
        <Accordion.Item key={definition.varId} value={String(definition.varId)}>
          <Accordion.Control>{definition.dottedName}</Accordion.Control>
          <Accordion.Panel>
            <Collection definition={definition} {...props} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

function Collection({ definition, place, mayWrite }: CollectionsProps & { definition: Definition }) {
  const texts = useCollectionTexts()
  const { varId, dottedName } = definition
  const entries = useQuery(entriesQuery(place, varId))
  const children = useQuery(childrenQuery(varId))
  const { shown, open, onClose } = usePanels<'save' | 'delete', Entry | undefined>()
  const numberOf = (entry: Entry) => (entries.data?.indexOf(entry) ?? 0) + 1
  const columns = (children.data ?? []).map(
    (child): Column<Entry> => ({
      id: String(child.varId),
      title: child.designation,
      cell: ({ values }) => <Value value={values.find((one) => one.varId === child.varId)} />,
    }),
  )
  const actions: Column<Entry> = {
    id: 'actions',
    title: texts.actions,
    width: 190,
    cell: (entry) => (
      <Group gap={4} wrap="nowrap">
        <RowAction
          text={texts.edit}
          label={texts.editLabel(dottedName, numberOf(entry))}
          onClick={() => open('save', entry)}
        />
        <RowAction
          removes
          text={texts.remove}
          label={texts.removeLabel(dottedName, numberOf(entry))}
          onClick={() => open('delete', entry)}
        />
      </Group>
    ),
  }
  const panel = shown && { place, definition, isOpen: shown.isOpen, onClose }
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="sm">
        <Text size="xs" c="dimmed" maw={720}>
          {texts.hint}
        </Text>
        {mayWrite && children.data && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            aria-label={`${texts.add}: ${dottedName}`}
            onClick={() => open('save', undefined)}
          >
            {texts.add}
          </Button>
        )}
      </Group>
      <DataTable
        caption={dottedName}
        columns={[...columns, ...(mayWrite ? [actions] : [])]}
        rows={children.data && entries.data}
        rowKey={({ collectionId }) => collectionId}
        error={entries.error ?? children.error}
        onRetry={() => Promise.all([entries.refetch(), children.refetch()])}
        empty={{ title: texts.empty, text: texts.emptyText }}
      />
      {panel && shown.name === 'save' && (
        <EntryPanel key={shown.number} parts={children.data ?? []} entry={shown.target} {...panel} />
      )}
      {panel && shown.name === 'delete' && shown.target && (
        <DeleteEntryPanel key={shown.number} entry={shown.target} number={numberOf(shown.target)} {...panel} />
      )}
    </Stack>
  )
}

function Value({ value }: { value: Entry['values'][number] | undefined }) {
  const texts = useCollectionTexts()
  if (value?.isSecret) return <Badge color="gray">{texts.secret}</Badge>
  return <>{value?.value ?? '–'}</>
}
