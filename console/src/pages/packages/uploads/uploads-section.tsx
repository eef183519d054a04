import { Alert, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { answerOf, api } from '../../../api/client.ts'
import { isArchive, type PackageUpload, packageUploadsKey, packageUploadsQuery } from '../../../api/package-uploads.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { DropZone } from '../../../components/drop-zone.tsx'
import { ProblemAlert } from '../../../components/problem-view.tsx'
import { Section } from '../../../components/section.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { useUploadTexts } from '../../../texts/upload-texts.ts'
import { ImportUploadPanel } from './import-upload-panel.tsx'
import { TransferRow } from './transfer-row.tsx'
import { notifyOnEnd, startTransfers, useTransfers } from './transfers.ts'
import { UploadRow } from './upload-row.tsx'
import classes from './uploads-section.module.css'

const ProposalPanel = lazy(async () => ({ default: (await import('./proposal/proposal-panel.tsx')).ProposalPanel }))

const WingetPanel = lazy(async () => ({ default: (await import('../winget/winget-panel.tsx')).WingetPanel }))

/** Manifests of winget are read, and not uploaded. */
const isWingetFile = ({ name }: File) => /\.ya?ml$/i.test(name)

/** Where files are uploaded, and what of them is on the service. */
export function UploadsSection({ toProgress }: { toProgress: (trackingId: string) => string }) {
  const texts = useUploadTexts()
  const transfers = useTransfers()
  const uploads = useUploads()
  const [importing, setImporting] = useState<Importing>()
  const [deleting, setDeleting] = useState<PackageUpload>()
  const [manifestFiles, setManifestFiles] = useState<File[]>()
  const [refused, setRefused] = useState<string[]>([])
  const takeFiles = (files: File[], folders: string[]) => {
    const empty = files.filter(({ size }) => size === 0)
    setRefused([...folders.map(texts.isFolder), ...empty.map(({ name }) => texts.isEmpty(name))])
    const usable = files.filter(({ size }) => size > 0)
    const manifests = usable.filter(isWingetFile)
    if (manifests.length > 0) setManifestFiles(manifests)
    startTransfers(usable.filter((file) => !isWingetFile(file)))
  }
  const sent = new Set(transfers.map(({ fingerprint }) => fingerprint))
  const others = (uploads.data?.items ?? []).filter(({ isOwn, fingerprint }) => !(isOwn && sent.has(fingerprint ?? '')))
  return (
    <Section title={texts.title}>
      <Stack gap="md">
        <DropZone
          hint={texts.drop}
          choose={texts.choose}
          onDrop={({ files, folders }) =>
            takeFiles(
              files,
              folders.map(({ name }) => name),
            )
          }
        />
        <RefusedFiles reasons={refused} onClose={() => setRefused([])} />
        <ProblemAlert error={uploads.error} />
        {transfers.length + others.length > 0 && (
          <ul className={classes.list} aria-label={texts.title}>
            {transfers.map((transfer) => (
              <TransferRow key={transfer.fingerprint} transfer={transfer} />
            ))}
            {others.map((upload) => (
              <UploadRow
                key={upload.id}
                upload={upload}
                onImport={() => setImporting({ upload, isProposed: !isArchive(upload) })}
                onDelete={() => setDeleting(upload)}
              />
            ))}
          </ul>
        )}
      </Stack>
      {importing && <PanelOf importing={importing} onChange={setImporting} toProgress={toProgress} />}
      {manifestFiles && (
        <Suspense>
          <WingetPanel files={manifestFiles} onClose={() => setManifestFiles(undefined)} toProgress={toProgress} />
        </Suspense>
      )}
      <DeleteDialog upload={deleting} onClose={() => setDeleting(undefined)} />
    </Section>
  )
}

function RefusedFiles({ reasons, onClose }: { reasons: readonly string[]; onClose: () => void }) {
  const { common } = useTexts()
  if (reasons.length === 0) return null
  return (
    <Alert color="red" withCloseButton closeButtonLabel={common.close} onClose={onClose}>
      <Stack gap={4}>
        {reasons.map((reason) => (
          <Text key={reason} size="sm" className="breakable">
            {reason}
          </Text>
        ))}
      </Stack>
    </Alert>
  )
}

/** The upload of which a package is made: of what the service proposes, or as its manifest says. */
type Importing = { upload: PackageUpload; isProposed: boolean }

type PanelOfProps = {
  importing: Importing
  onChange: (importing: Importing | undefined) => void
  toProgress: (trackingId: string) => string
}

function PanelOf({ importing: { upload, isProposed }, onChange, toProgress }: PanelOfProps) {
  const shared = { upload, onClose: () => onChange(undefined), toProgress }
  return isProposed ? (
    <Suspense>
      <ProposalPanel {...shared} onManual={() => onChange({ upload, isProposed: false })} />
    </Suspense>
  ) : (
    <ImportUploadPanel {...shared} onPropose={() => onChange({ upload, isProposed: true })} />
  )
}

function useUploads() {
  const queryClient = useQueryClient()
  useEffect(() => notifyOnEnd(() => void queryClient.invalidateQueries({ queryKey: packageUploadsKey })), [queryClient])
  return useQuery(packageUploadsQuery)
}

function DeleteDialog({ upload, onClose }: { upload: PackageUpload | undefined; onClose: () => void }) {
  const texts = useUploadTexts()
  const queryClient = useQueryClient()
  const remove = async () => {
    if (!upload) return
    await answerOf(api.DELETE('/api/package-uploads/{id}', { params: { path: { id: upload.id } } }))
    await queryClient.invalidateQueries({ queryKey: packageUploadsKey })
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={upload !== undefined}
      title={texts.deleteTitle}
      text={texts.deleteText(upload?.fileName ?? '')}
      confirmLabel={texts.deleteSubmit}
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
