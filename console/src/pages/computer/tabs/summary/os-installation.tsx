import { Alert, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ReviewPanel } from '../../../../actions/review-panel.tsx'
import { type PanelProps, usePanels } from '../../../../actions/use-panels.ts'
import { answerOf, api, type Schemas } from '../../../../api/client.ts'
import { type Column, DataTable } from '../../../../components/data-table.tsx'
import { Moment } from '../../../../components/moment.tsx'
import { StatusBadge } from '../../../../components/status-badge.tsx'
import { TitledTable } from '../../../../components/titled-table.tsx'
import { useHasRole } from '../../../../shell/session-context.ts'
import { useOsInstallationTexts } from '../../../../texts/os-installation-texts.ts'
import { RowAction } from '../../../groups/tabs/row-action.tsx'
import { type ComputerPageData, computerKey } from '../../computer-data.ts'

type BootRequest = Schemas['BootRequest']

/** Who has asked to boot as this computer, and what installers have reported. A person may let a report count. */
export function OsInstallation({ page }: { page: ComputerPageData }) {
  const texts = useOsInstallationTexts()
  const { id } = page.computer
  const { shown, open, onClose } = usePanels<'confirm', BootRequest>()
  const columns = useColumns((request) => open('confirm', request))
  const { data, error, refetch } = useQuery({
    queryKey: [...computerKey(id), 'os-installation'],
    queryFn: () => answerOf(api.GET('/api/computer/{id}/os-installation', { params: { path: { id } } })),
  })
  return (
    <TitledTable title={texts.title}>
      <Stack gap="sm">
        {data && data.bootRequests.length > 1 && <Alert color="orange">{texts.several}</Alert>}
        {data?.bootRequests.length === 0 ? (
          <Text size="sm" c="dimmed">
            {texts.waits}
          </Text>
        ) : (
          <DataTable
            caption={texts.title}
            columns={columns}
            rows={data?.bootRequests}
            rowKey={({ address }) => address}
            error={error}
            onRetry={refetch}
            empty={{ title: texts.title, text: texts.waits }}
          />
        )}
      </Stack>
      {shown && (
        <ConfirmPanel
          key={shown.number}
          page={page}
          address={shown.target.address}
          isOpen={shown.isOpen}
          onClose={onClose}
        />
      )}
    </TitledTable>
  )
}

function useColumns(onConfirm: (request: BootRequest) => void): Column<BootRequest>[] {
  const texts = useOsInstallationTexts()
  const mayConfirm = useHasRole('activation.execute')
  const { columns, statuses } = texts
  const actions: Column<BootRequest> = {
    id: 'actions',
    title: columns.actions,
    cell: (request) =>
      request.reportedAtUtc !== null && (
        <RowAction
          text={texts.confirm}
          label={texts.confirmLabel(request.address)}
          onClick={() => onConfirm(request)}
        />
      ),
  }
  return [
    { id: 'address', title: columns.address, cell: ({ address }) => address },
    { id: 'fetched', title: columns.fetched, cell: ({ fetchedAtUtc }) => <Moment at={fetchedAtUtc} /> },
    {
      id: 'reported',
      title: columns.reported,
      cell: ({ reportedAtUtc }) => (reportedAtUtc ? <Moment at={reportedAtUtc} /> : '–'),
    },
    {
      id: 'status',
      title: columns.status,
      cell: ({ status, message }) => (
        <>
          {status ? <StatusBadge kind={status === 'Success' ? 'good' : 'bad'}>{statuses[status]}</StatusBadge> : '–'}
          {message && (
            <Text size="xs" c="dimmed" className="breakable">
              {message}
            </Text>
          )}
        </>
      ),
    },
    ...(mayConfirm ? [actions] : []),
  ]
}

function ConfirmPanel({ page, address, ...panel }: PanelProps & { page: ComputerPageData; address: string }) {
  const texts = useOsInstallationTexts()
  const { id, hostname } = page.computer
  return (
    <ReviewPanel<unknown>
      {...panel}
      action={{
        title: texts.confirmTitle,
        label: texts.confirm,
        requestKey: address,
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/computer/{id}/os-installation/confirmation', {
            params: { path: { id }, query, header: headers },
            body: { address },
          }),
        describe: () => texts.confirms(hostname, address),
        done: () => ({ text: texts.confirmed }),
        refreshes: [computerKey(id), ['computers'], ['tasks']],
      }}
    />
  )
}
