import { ActionIcon, Alert, Button, Checkbox, FileButton, Group, Stack, Text } from '@mantine/core'
import { DropZone } from '../../components/drop-zone.tsx'
import { IconPlus, IconX } from '../../components/icons.ts'
import { ProblemAlert } from '../../components/problem-view.tsx'
import { Section } from '../../components/section.tsx'
import { useDesiredStateTexts } from '../../texts/desired-state-texts.ts'
import { useFormat } from '../../texts/format.ts'
import classes from './desired-state.module.css'
import type { StateFiles } from './use-state-files.ts'

type StateFilesSectionProps = { files: StateFiles; isPlanning: boolean; isLocked: boolean; onPlan: () => void }

/** The attribute has no name in the types of React. */
const ofFolders = { webkitdirectory: '' }

/** Where the files of a desired state are chosen, and how they are compared. */
export function StateFilesSection({ files, isPlanning, isLocked, onPlan }: StateFilesSectionProps) {
  const texts = useDesiredStateTexts()
  return (
    <Section title={texts.files}>
      <Stack gap="sm">
        <DropZone
          hint={texts.drop}
          choose={texts.chooseFiles}
          accept=".yaml,.yml,.json"
          onDrop={({ files: chosen, folders }) => {
            if (!isLocked) void files.add(chosen, folders)
          }}
        >
          <FileButton
            onChange={(chosen) => void files.add(chosen, [])}
            multiple
            inputProps={{ 'aria-label': texts.chooseFolder, ...ofFolders }}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconPlus size={16} aria-hidden />}>
                {texts.chooseFolder}
              </Button>
            )}
          </FileButton>
        </DropZone>
        <ChosenFiles files={files} isLocked={isLocked} />
        <LeftOut files={files} />
        <ProblemAlert error={files.error} />
        {files.mistake && (
          <Alert color="red" role="alert" title={texts.mistake}>
            <Text size="sm" className="breakable">
              {files.mistake}
            </Text>
          </Alert>
        )}
        {files.files.length > 0 && (
          <Group justify="space-between" align="flex-end" gap="sm">
            <Checkbox
              label={texts.prune}
              description={texts.pruneHint}
              checked={files.prune}
              disabled={isLocked}
              onChange={(event) => files.setPrune(event.currentTarget.checked)}
            />
            <Button onClick={onPlan} loading={isPlanning} disabled={!files.read || isLocked}>
              {texts.makePlan}
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  )
}

function ChosenFiles({ files: { files, remove, clear }, isLocked }: { files: StateFiles; isLocked: boolean }) {
  const texts = useDesiredStateTexts()
  const format = useFormat()
  if (files.length === 0) return null
  return (
    <div>
      <ul className={classes.files} aria-label={texts.files}>
        {files.map(({ name, size }) => (
          <li key={name}>
            <Text size="sm" ff="monospace" className="breakable">
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {format.bytes(size)}
            </Text>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={texts.removeFile(name)}
              disabled={isLocked}
              onClick={() => remove(name)}
            >
              <IconX size={14} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {files.length > 1 && (
        <Button size="compact-xs" variant="subtle" mt={4} disabled={isLocked} onClick={clear}>
          {texts.removeAll}
        </Button>
      )}
    </div>
  )
}

function LeftOut({ files: { leftOut } }: { files: StateFiles }) {
  const texts = useDesiredStateTexts()
  return (
    <>
      {leftOut.others > 0 && (
        <Text size="xs" c="dimmed">
          {texts.otherFiles(leftOut.others)}
        </Text>
      )}
      {leftOut.tooLarge.map((name) => (
        <Alert key={name} color="orange">
          {texts.tooLarge(name)}
        </Alert>
      ))}
    </>
  )
}
