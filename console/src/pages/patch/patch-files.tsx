import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { api, type Schemas } from '../../api/client.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { IconDownload } from '../../components/icons.ts'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { StatusKind } from '../../components/status-kinds.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { type PatchTexts, usePatchTexts } from '../../texts/patch-texts.ts'

type PatchFile = Schemas['PatchPage']['files'][number]

const kinds: Record<PatchFile['status'], StatusKind> = {
  NotRequested: 'neutral',
  NotAllowed: 'warning',
  Pending: 'running',
  Running: 'running',
  Stored: 'good',
  Failed: 'bad',
}

/** The files of the patch and whether the service has them. */
export function PatchFiles({ data: { files, patch } }: { data: Schemas['PatchPage'] }) {
  const { patch: texts } = usePatchTexts()
  const mayWrite = useHasRole('pm.write')
  const isIncomplete = files.some(({ status }) => status === 'NotRequested' || status === 'Failed')
  if (files.length === 0)
    return (
      <Section title={texts.files}>
        <Text size="sm" c="dimmed">
          {texts.noFiles}
        </Text>
      </Section>
    )
  return (
    <Section title={texts.files} actions={mayWrite && isIncomplete && <DownloadButton patchId={patch.patchId} />}>
      <DataTable
        caption={texts.files}
        columns={columnsOf(texts)}
        rows={files}
        rowKey={({ productId, sha256 }) => `${productId} ${sha256}`}
        error={null}
        onRetry={() => undefined}
        empty={{ title: texts.noFiles, text: '' }}
      />
    </Section>
  )
}

function columnsOf(texts: PatchTexts['patch']): Column<PatchFile>[] {
  return [
    { id: 'name', title: texts.file, cell: ({ name }) => name },
    { id: 'product', title: texts.product, cell: ({ productName }) => productName },
    {
      id: 'status',
      title: texts.status,
      cell: ({ status, message, progress }) => (
        <>
          <StatusBadge kind={kinds[status]}>{texts.fileStates[status]}</StatusBadge>
          {status === 'Running' && progress !== null && <Text size="xs">{`${progress} %`}</Text>}
          {message && (
            <Text size="xs" c="dimmed">
              {message}
            </Text>
          )}
        </>
      ),
    },
  ]
}

function DownloadButton({ patchId }: { patchId: number }) {
  const { patch: texts } = usePatchTexts()
  const [isOpen, panel] = useDisclosure()
  return (
    <>
      <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={panel.open}>
        {texts.download}
      </Button>
      <ReviewPanel<Schemas['PatchDownloads']>
        isOpen={isOpen}
        onClose={panel.close}
        action={{
          title: texts.download,
          label: texts.download,
          requestKey: ['download', patchId],
          send: ({ uncounted: query, headers }) =>
            api.POST('/api/patches/{patchId}/download', {
              params: { path: { patchId }, query, header: headers },
            }),
          describe: () => texts.downloadText,
          done: () => ({ text: texts.downloadDone }),
          refreshes: [['patches', 'one', patchId]],
        }}
      />
    </>
  )
}
