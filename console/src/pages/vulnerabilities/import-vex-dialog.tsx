import { Alert, FileInput, List, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { GroupChoice } from '../../components/group-choice.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useVulnerabilityTexts } from '../../texts/vulnerability-texts.ts'

type Document = Record<string, unknown>
type Result = Schemas['VexImport']

/** Takes over the decisions of a document. It stays open with the result, which says what was refused. */
export function ImportVexDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const texts = useVulnerabilityTexts()
  const mayReadGroups = useHasRole('group.read')
  const queryClient = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [content, setContent] = useState<Document>()
  const [groupId, setGroupId] = useState('')
  const [result, setResult] = useState<Result>()
  const close = () => {
    setFile(null)
    setContent(undefined)
    setGroupId('')
    setResult(undefined)
    onClose()
  }
  const choose = async (chosen: File | null) => {
    setFile(chosen)
    setContent(chosen === null ? undefined : parse(await chosen.text()))
  }
  const run = async () => {
    if (!content || result) return close()
    const body = { document: content, ...(groupId && { groupId }) }
    setResult(await answerOf(api.POST('/api/vulnerability-exceptions/vex', { body })))
    await queryClient.invalidateQueries({ queryKey: ['vulnerabilities'] })
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={texts.importVexTitle}
      text={texts.importVexText}
      confirmLabel={result ? texts.done : texts.importVexConfirm}
      isBlocked={!content}
      onConfirm={run}
      onClose={close}
    >
      {result ? (
        <ImportResult result={result} />
      ) : (
        <>
          <FileInput
            label={texts.vexFile}
            placeholder={texts.chooseFile}
            accept=".json,application/json"
            value={file}
            onChange={choose}
            error={file && !content && texts.notJson}
            required
          />
          {mayReadGroups && (
            <GroupChoice label={texts.group} description={texts.groupHint} value={groupId} onChange={setGroupId} />
          )}
        </>
      )}
    </ConfirmDialog>
  )
}

/** Undefined if it is not JSON. */
function parse(text: string): Document | undefined {
  try {
    const document: unknown = JSON.parse(text)
    return typeof document === 'object' && document !== null ? (document as Document) : undefined
  } catch {
    return undefined
  }
}

function ImportResult({ result }: { result: Result }) {
  const texts = useVulnerabilityTexts()
  const { created, unchanged, ignored, refused, faults } = result
  return (
    <Stack gap="sm" role="status">
      <Text>{texts.vexResult(created, unchanged, ignored)}</Text>
      {refused > 0 && (
        <Alert color="yellow" title={texts.vexRefused(refused)}>
          <List size="sm" mah={240} style={{ overflow: 'auto' }}>
            {faults.map(({ at, reason }) => (
              <List.Item key={at} className="breakable">
                {at}: {reason}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  )
}
