import { Box } from '@mantine/core'
import { answerOf, api, type Schemas } from '../../../../api/client.ts'
import { type Column, DataTable } from '../../../../components/data-table.tsx'
import { LoadMore } from '../../../../components/load-more.tsx'
import { SearchField } from '../../../../components/search-field.tsx'
import { useFilters } from '../../../../components/use-filters.ts'
import { useTexts } from '../../../../texts/texts.tsx'
import { computerKey } from '../../computer-data.ts'
import { usePagedItems } from '../use-paged-items.ts'

/** All products that the last inventory found, by Muster or not. */
export function InstalledSoftware({ id }: { id: number }) {
  const { computer, common } = useTexts()
  const { inventory: texts } = computer
  const { values, set } = useFilters(['section', 'name'])
  const { name } = values
  const { query, items } = usePagedItems([...computerKey(id), 'installed-software', name], (page) =>
    answerOf(
      api.GET('/api/computer/{id}/inventory/installed-software', {
        params: { path: { id }, query: { ...page, ...(name && { name }) } },
      }),
    ),
  )
  const columns: Column<Schemas['InstalledSoftware']>[] = [
    { id: 'name', title: texts.product, cell: ({ productName }) => productName },
    { id: 'version', title: texts.version, width: 200, cell: ({ version }) => version },
    { id: 'publisher', title: texts.publisher, cell: ({ publisher }) => publisher },
  ]
  return (
    <>
      <Box maw={420}>
        <SearchField
          label={texts.searchSoftware}
          placeholder={texts.searchSoftwareHint}
          value={name}
          onSearch={(text) => set({ name: text })}
        />
      </Box>
      <DataTable
        caption={texts.sections.software}
        columns={columns}
        rows={items}
        rowKey={({ productName, version, publisher }) => JSON.stringify([productName, version, publisher])}
        error={query.error}
        onRetry={query.refetch}
        empty={
          name
            ? { title: common.nothingFound, text: common.nothingFoundHint }
            : { title: texts.noSoftware, text: texts.noSoftwareHint }
        }
        footer={<LoadMore query={query} />}
      />
    </>
  )
}
