import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { packageUploadsKey, packageUploadsQuery } from '../../../api/package-uploads.ts'
import { useProposalTexts } from '../../../texts/proposal-texts.ts'
import { useWingetTexts } from '../../../texts/winget-texts.ts'
import { keyOf, type ProposalField, toFields, toManifest } from '../uploads/proposal/proposal-fields.ts'
import { useWingetConversion, type WingetPackage, type WingetSource } from './use-winget.ts'
import { WingetForm } from './winget-form.tsx'
import { WingetSearch } from './winget-search.tsx'

type WingetPanelProps = {
  /** The files of a manifest. Without them, the person searches the mirror. */
  files?: readonly File[]
  onClose: () => void
  /** The address that shows the progress. */
  toProgress: (trackingId: string) => string
}

/** Shows the package that a winget manifest becomes, and creates it with the corrections of the person. */
export function WingetPanel({ files, onClose, toProgress }: WingetPanelProps) {
  const texts = useWingetTexts()
  const { submit } = useProposalTexts()
  const [source, setSource] = useState<WingetSource | undefined>(files && { files })
  const [architecture, setArchitecture] = useState<string>()
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [overwrite, setOverwrite] = useState(false)
  // The service checks the manifest once typing pauses.
  const [checked] = useDebouncedValue(typed, 300)
  const conversion = useWingetConversion(source)
  const packages = conversion.data?.packages ?? []
  const made = packages.find((one) => one.architecture === architecture) ?? packages[0]
  const fields = made ? toFields(made) : []
  const textOf = (field: ProposalField) => typed[keyOf(field)] ?? field.text
  const upload = useUploadOf(made)
  const canGetFile = upload !== undefined || made?.downloadFault === null
  const choose = (next: WingetSource | undefined) => {
    setSource(next)
    setTyped({})
    setArchitecture(undefined)
  }
  return (
    <ReviewPanel
      isOpen
      onClose={onClose}
      action={{
        title: texts.title,
        label: submit,
        requestKey: { source, architecture: made?.architecture, checked, overwrite, upload: upload?.id },
        isComplete: made !== undefined && canGetFile && checked === typed,
        form: source ? (
          <WingetForm
            {...{ conversion, made, upload, fields, textOf, overwrite, setOverwrite, setArchitecture }}
            onText={(field, text) => setTyped({ ...typed, [keyOf(field)]: text })}
            {...(!files && { onOther: () => choose(undefined) })}
            onVersion={(identifier, version) => choose({ identifier, version })}
          />
        ) : (
          <WingetSearch onChoose={(identifier) => choose({ identifier })} />
        ),
        send({ uncounted: query, headers }) {
          const change = { query, header: headers }
          const { url = '', sha256 = '', fileName = '' } = made ?? {}
          const body = { fileName, manifest: made ? toManifest(made, fields, textOf) : {}, overwrite }
          return upload
            ? api.POST('/api/package-uploads/{id}/package', { params: { path: { id: upload.id }, ...change }, body })
            : api.POST('/api/packages/from-url', { params: change, body: { url, sha256, ...body } })
        },
        describe: () => texts.describe(conversion.data?.identifier ?? ''),
        done: ({ trackingId }) => ({ text: texts.started, to: toProgress(trackingId) }),
        refreshes: [packageUploadsKey],
      }}
    />
  )
}

/** The upload of this person that is the file of the manifest. */
function useUploadOf(made: WingetPackage | undefined) {
  const { data } = useQuery(packageUploadsQuery)
  return data?.items.find(({ isOwn, state, sha256 }) => isOwn && state === 'Ready' && sha256 === made?.sha256)
}
