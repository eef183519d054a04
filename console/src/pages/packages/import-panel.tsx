import { Checkbox, Code, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { api } from '../../api/client.ts'
import { NamedField } from '../../components/named-field.tsx'
import { useRepositoryPackageTexts } from '../../texts/repository-package-texts.ts'
import { useTexts } from '../../texts/texts.tsx'

/** What is typed into the panel. The page keeps it so that nothing has to be typed again after a failed import. */
export function useImportForm(initial = { folderPath: '', overwrite: false }) {
  const [folderPath, setFolderPath] = useState(initial.folderPath)
  const [overwrite, setOverwrite] = useState(initial.overwrite)
  return { folderPath, setFolderPath, overwrite, setOverwrite }
}

type ImportPanelProps = {
  isOpen: boolean
  onClose: () => void
  form: ReturnType<typeof useImportForm>
  /** The address that shows the progress. */
  toProgress: (trackingId: string) => string
}

export function ImportPanel({ isOpen, onClose, form, toProgress }: ImportPanelProps) {
  const { packages } = useTexts()
  const { importing } = packages
  const { overwrite } = form
  const folder = form.folderPath.trim()
  // The service checks the path once typing pauses.
  const [checkedFolder] = useDebouncedValue(folder, 300)
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: packages.import,
        label: importing.submit,
        requestKey: { folder: checkedFolder, overwrite },
        isComplete: folder !== '' && folder === checkedFolder,
        form: <ImportFields form={form} />,
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/packages/import', {
            params: { query, header: headers },
            body: { folderPath: folder, overwrite },
          }),
        describe: () => (overwrite ? importing.describeOverwrite(folder) : importing.describe(folder)),
        done: ({ trackingId }) => ({ text: importing.started, to: toProgress(trackingId) }),
      }}
    />
  )
}

function ImportFields({ form }: Pick<ImportPanelProps, 'form'>) {
  const { importing } = useTexts().packages
  const { recipesBefore, recipesAfter } = useRepositoryPackageTexts()
  return (
    <Stack gap="sm">
      <NamedField name="folderPath">
        <TextInput
          data-autofocus
          required
          label={importing.folder}
          description={importing.folderHint}
          value={form.folderPath}
          onChange={(event) => form.setFolderPath(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </NamedField>
      <Checkbox
        label={importing.overwrite}
        description={importing.overwriteHint}
        checked={form.overwrite}
        onChange={(event) => form.setOverwrite(event.currentTarget.checked)}
      />
      <Text size="sm" c="dimmed">
        {recipesBefore} <Code>muster packages recipes apply FOLDER</Code> {recipesAfter}
      </Text>
    </Stack>
  )
}
