import { Button, Group } from '@mantine/core'
import { useAskedPanel } from '../../actions/use-asked-panel.ts'
import { usePanels } from '../../actions/use-panels.ts'
import { api } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { IconPlus } from '../../components/icons.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useReportTexts } from '../../texts/report-texts.ts'
import { CreateLicence, DeleteLicence, EditLicence } from './licence-panels.tsx'
import { type Licence, licencesKey } from './reports.ts'

type PanelName = 'create' | 'edit' | 'delete'

export function LicenceList() {
  const texts = useReportTexts()
  const { licences } = texts
  const mayWrite = useHasRole('package.write')
  const { shown, open, onClose } = usePanels<PanelName, Licence | undefined>()
  useAskedPanel('newLicence', () => open('create', undefined))
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
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open('create', undefined)}>
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
      {shown?.name === 'create' && <CreateLicence key={shown.number} isOpen={shown.isOpen} onClose={onClose} />}
      {shown?.name === 'edit' && shown.target && (
        <EditLicence key={shown.number} licence={shown.target} isOpen={shown.isOpen} onClose={onClose} />
      )}
      {shown?.name === 'delete' && shown.target && (
        <DeleteLicence key={shown.number} licence={shown.target} isOpen={shown.isOpen} onClose={onClose} />
      )}
    </>
  )
}
