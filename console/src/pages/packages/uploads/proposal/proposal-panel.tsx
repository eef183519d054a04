import { Button, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../../../actions/review-panel.tsx'
import { answerOf, api } from '../../../../api/client.ts'
import { type PackageUpload, packageUploadsKey } from '../../../../api/package-uploads.ts'
import { asProblem, hasStatus } from '../../../../api/problem.ts'
import { Loading } from '../../../../components/loading.tsx'
import { ProblemAlert } from '../../../../components/problem-view.tsx'
import { useProposalTexts } from '../../../../texts/proposal-texts.ts'
import { useUploadTexts } from '../../../../texts/upload-texts.ts'
import { keyOf, type ProposalField, toFields, toManifest } from './proposal-fields.ts'
import { type Fault, ProposalForm } from './proposal-form.tsx'

type ProposalPanelProps = {
  upload: PackageUpload
  onClose: () => void
  /** Called by those who write the manifest themselves. */
  onManual: () => void
  /** The address that shows the progress. */
  toProgress: (trackingId: string) => string
}

/** Shows which package the service proposes for an uploaded installer, and creates it with the corrections of the person. */
export function ProposalPanel({ upload, onClose, onManual, toProgress }: ProposalPanelProps) {
  const texts = useProposalTexts()
  const uploads = useUploadTexts()
  const { data: proposal, error } = useProposal(upload.id)
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [overwrite, setOverwrite] = useState(false)
  const [fault, setFault] = useState<Fault>()
  // The service checks the manifest once typing pauses.
  const [checked] = useDebouncedValue(typed, 300)
  const fields = proposal ? toFields(proposal) : []
  const textOf = (field: ProposalField) => typed[keyOf(field)] ?? field.text
  const manifest = proposal && toManifest(proposal, fields, textOf)
  return (
    <ReviewPanel
      isOpen
      onClose={onClose}
      action={{
        title: uploads.importTitle(upload.fileName),
        label: texts.submit,
        requestKey: { id: upload.id, checked, overwrite },
        isComplete: proposal !== undefined && checked === typed,
        form: proposal ? (
          <ProposalForm
            {...{ proposal, fields, textOf, fault, overwrite, setOverwrite }}
            isRenamed={proposal.fileName !== upload.fileName}
            onText={(field, text) => setTyped({ ...typed, [keyOf(field)]: text })}
          />
        ) : (
          <Unread error={error} onManual={onManual} />
        ),
        async send({ uncounted: query, headers }) {
          const sent = api.POST('/api/package-uploads/{id}/package', {
            params: { path: { id: upload.id }, query, header: headers },
            body: { overwrite, ...(proposal && manifest && { manifest, fileName: proposal.fileName }) },
          })
          const failure = await sent.then(
            () => undefined,
            (reason: unknown) => reason,
          )
          setFault(failure === undefined ? undefined : faultOf(failure))
          return sent
        },
        describe: () => uploads.describe(upload.fileName),
        done: ({ trackingId }) => ({ text: uploads.started, to: toProgress(trackingId) }),
        refreshes: [packageUploadsKey],
      }}
    />
  )
}

const maxRetries = 3

function useProposal(id: string) {
  return useQuery({
    // Not below that of the packages: whatever happens to them would read the file again.
    queryKey: ['package-proposal', id],
    queryFn: () => answerOf(api.GET('/api/package-uploads/{id}/proposal', { params: { path: { id } } })),
    staleTime: Infinity,
    // Other files are being read.
    retry: (count, error) => hasStatus(error, 503) && count < maxRetries,
    retryDelay: (_, error) => (asProblem(error).retryAfterSeconds ?? 1) * 1_000,
  })
}

/** What the service says about the manifest, and about which property of it. */
function faultOf(error: unknown): Fault | undefined {
  const { errors, details } = asProblem(error)
  const prefix = 'manifest.'
  const ofManifest = errors.find(({ name }) => name.startsWith(prefix))
  if (ofManifest) return { property: ofManifest.name.slice(prefix.length), reason: ofManifest.reason }
  return typeof details.reason === 'string' ? { property: '', reason: details.reason } : undefined
}

function Unread({ error, onManual }: { error: unknown; onManual: () => void }) {
  const texts = useProposalTexts()
  if (!error) return <Loading height={240} />
  return (
    <Stack gap="sm">
      <ProblemAlert error={error} isLoad />
      <Button variant="default" onClick={onManual}>
        {texts.manual}
      </Button>
    </Stack>
  )
}
