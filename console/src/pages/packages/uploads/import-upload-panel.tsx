import { Button, Checkbox, Stack, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { isArchive, type PackageUpload, packageUploadsKey } from '../../../api/package-uploads.ts'
import { NamedField } from '../../../components/named-field.tsx'
import { useUploadTexts } from '../../../texts/upload-texts.ts'

type ImportUploadPanelProps = {
  upload: PackageUpload
  onClose: () => void
  /** Called by those who want a proposal for the file itself. */
  onPropose: () => void
  /** The address that shows the progress. */
  toProgress: (trackingId: string) => string
}

/** Makes a package of an upload. */
export function ImportUploadPanel({ upload, onClose, onPropose, toProgress }: ImportUploadPanelProps) {
  const texts = useUploadTexts()
  const [manifestText, setManifestText] = useState('')
  const [overwrite, setOverwrite] = useState(false)
  // The service checks the manifest once typing pauses.
  const [checkedText] = useDebouncedValue(manifestText, 300)
  const { manifest, fault } = parseManifest(manifestText)
  const hasOwnManifest = isArchive(upload)
  return (
    <ReviewPanel
      isOpen
      onClose={onClose}
      action={{
        title: texts.importTitle(upload.fileName),
        label: texts.importSubmit,
        requestKey: { id: upload.id, checkedText, overwrite },
        isComplete: checkedText === manifestText && fault === undefined && (hasOwnManifest || manifest !== undefined),
        form: (
          <Stack gap="sm">
            <Text size="sm">{hasOwnManifest ? texts.archiveHint : texts.manifestHint}</Text>
            {hasOwnManifest && (
              <Button variant="default" onClick={onPropose}>
                {texts.propose}
              </Button>
            )}
            <NamedField name="manifest">
              <Textarea
                data-autofocus
                label={hasOwnManifest ? texts.otherManifest : texts.manifest}
                value={manifestText}
                onChange={(event) => setManifestText(event.currentTarget.value)}
                error={fault !== undefined && texts.noJson(fault)}
                required={!hasOwnManifest}
                autosize
                minRows={8}
                maxRows={20}
                spellCheck={false}
                autoComplete="off"
              />
            </NamedField>
            <Checkbox
              label={texts.overwrite}
              description={texts.overwriteHint}
              checked={overwrite}
              onChange={(event) => setOverwrite(event.currentTarget.checked)}
            />
          </Stack>
        ),
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/package-uploads/{id}/package', {
            params: { path: { id: upload.id }, query, header: headers },
            body: { overwrite, ...(manifest && { manifest }) },
          }),
        describe: () => texts.describe(upload.fileName),
        done: ({ trackingId }) => ({ text: texts.started, to: toProgress(trackingId) }),
        refreshes: [packageUploadsKey],
      }}
    />
  )
}

/** What was typed, if it is an object in JSON. */
function parseManifest(text: string): { manifest?: Record<string, unknown>; fault?: string } {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { manifest: value as Record<string, unknown> } : { fault: '{ … }' }
  } catch (error) {
    return { fault: (error as Error).message }
  }
}
