import { Anchor, Box, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { answerOf, api, type Schemas } from '../../../api/client.ts'
import type { Column } from '../../../components/data-table.tsx'
import { LoadMore } from '../../../components/load-more.tsx'
import { SearchField } from '../../../components/search-field.tsx'
import { useFilters } from '../../../components/use-filters.ts'
import { useHasRole } from '../../../shell/session-context.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { Collections } from '../../variables/collections.tsx'
import { computerKey } from '../computer-data.ts'
import { ExpandableTable } from '../why/expandable-table.tsx'
import { Why } from '../why/why.tsx'
import { TabContent } from './tab-content.tsx'
import { usePagedItems } from './use-paged-items.ts'
import { VariablePanel } from './variable-panel.tsx'

type EffectiveValue = Schemas['FoundVariableValue']

/** The values that count for the computer, and where each one comes from. */
export function VariablesTab({ computer }: { computer: Schemas['Computer'] }) {
  const { computer: texts, common } = useTexts()
  const { values, set } = useFilters(['name', 'why'])
  const [edited, setEdited] = useState<EffectiveValue>()
  const columns = useColumns(setEdited)
  const { id } = computer
  const { query, items } = usePagedItems([...computerKey(id), 'variables'], (page) =>
    answerOf(
      api.POST('/api/computer/{id}/variables/search', {
        // All at once, as far as possible: the search looks through what was read.
        params: { path: { id }, query: { ...page, top: 500 } },
        body: { includeInherited: true },
      }),
    ),
  )
  const wanted = values.name.toLowerCase()
  return (
    <Stack gap="md">
      <Box maw={420}>
        <SearchField
          label={texts.variables.search}
          placeholder={texts.variables.searchHint}
          value={values.name}
          onSearch={(name) => set({ name })}
        />
      </Box>
      <TabContent query={{ ...query, data: items }}>
        {(found) => (
          <ExpandableTable
            caption={texts.tabs.variables}
            columns={columns}
            rows={found.filter(({ dottedName }) => dottedName.toLowerCase().includes(wanted))}
            rowKey={({ varId }) => String(varId)}
            openKey={values.why}
            onOpen={(why) => set({ why })}
            details={({ varId }) => <Why id={id} subject={{ variableId: varId }} />}
            empty={
              wanted
                ? { title: common.nothingFound, text: common.nothingFoundHint }
                : { title: texts.variables.emptyTitle, text: texts.variables.emptyText }
            }
            footer={<LoadMore query={query} />}
          />
        )}
      </TabContent>
      <Collections place={{ computerId: id }} mayWrite={useHasRole('computer.write')} />
      {edited && (
        <VariablePanel key={edited.varId} computer={computer} variable={edited} onClose={() => setEdited(undefined)} />
      )}
    </Stack>
  )
}

function useColumns(onEdit: (value: EffectiveValue) => void): Column<EffectiveValue>[] {
  const { variables: texts } = useTexts().computer
  const mayWrite = useHasRole('computer.write')
  return [
    { id: 'name', title: texts.columns.name, cell: ({ dottedName }) => dottedName },
    { id: 'value', title: texts.columns.value, cell: (variable) => <ShownValue variable={variable} /> },
    {
      id: 'source',
      title: texts.columns.source,
      cell: ({ source, sourceGroupId, sourceGroupPath }) => (
        <>
          {source ? texts.sources[source] : texts.unset}{' '}
          {sourceGroupId && (
            <Anchor component={Link} to={`/groups/${sourceGroupId}`} fz="inherit" underline="always">
              {sourceGroupPath}
            </Anchor>
          )}
        </>
      ),
    },
    ...(mayWrite
      ? [
          {
            id: 'actions',
            title: texts.columns.actions,
            width: 110,
            cell: (variable: EffectiveValue) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`${texts.edit}: ${variable.dottedName}`}
                onClick={() => onEdit(variable)}
              >
                {texts.edit}
              </Button>
            ),
          },
        ]
      : []),
  ]
}

function ShownValue({ variable: { value, isSecret, source } }: { variable: EffectiveValue }) {
  const { variables: texts } = useTexts().computer
  if (isSecret) return <Text size="sm">{source ? texts.secret : texts.secretUnset}</Text>
  if (value === null) return <>–</>
  return (
    <Text size="sm" ff="monospace" className="breakable">
      {value === '' ? texts.empty : value}
    </Text>
  )
}
