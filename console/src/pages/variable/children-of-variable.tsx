import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { api, type Schemas } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { TitledTable } from '../../components/titled-table.tsx'
import { useVariableTexts } from '../../texts/variable-texts.ts'

type ChildrenProps = { varId: number; kind: Schemas['VariableDefinition']['kind'] }

/** The variables of a category, or the columns of a collection. */
export function ChildrenOfVariable({ varId, kind }: ChildrenProps) {
  const texts = useVariableTexts()
  const { columns } = texts
  const title = kind === 'Collection' ? texts.collectionColumns : texts.variablesBelow
  const pages = useListPages({
    queryKey: ['variables', varId, 'children'],
    load: (page) =>
      api.GET('/api/variable-definitions/{varId}/children', {
        params: { path: { varId }, query: { top: 50, ...page } },
      }),
  })
  return (
    <TitledTable title={title}>
      <DataTable
        caption={title}
        columns={[
          {
            id: 'name',
            title: columns.name,
            cell: ({ varId: child, designation }) => (
              <Anchor component={Link} to={`/variables/${child}`} size="sm" fw={600}>
                {designation}
              </Anchor>
            ),
          },
          { id: 'kind', title: columns.kind, width: 140, cell: (child) => texts.kinds[child.kind] },
          {
            id: 'default',
            title: columns.defaultValue,
            width: 240,
            cell: ({ defaultValue, isSecret }) => (isSecret ? texts.secret : (defaultValue ?? '–')),
          },
          { id: 'description', title: columns.description, cell: ({ description }) => description ?? '–' },
        ]}
        rows={pages.rows}
        rowKey={(child) => child.varId}
        error={pages.error}
        onRetry={pages.refetch}
        empty={{ title: texts.nothingBelow, text: '' }}
        footer={<LoadMore query={pages} />}
      />
    </TitledTable>
  )
}
