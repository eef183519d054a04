import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ProblemAlert } from '../../../components/problem-view.tsx'
import { useWingetTexts } from '../../../texts/winget-texts.ts'
import classes from '../uploads/uploads-section.module.css'
import { useWingetSearch } from './use-winget.ts'

/** Finds a package in the mirror of manifests. */
export function WingetSearch({ onChoose }: { onChoose: (identifier: string) => void }) {
  const texts = useWingetTexts()
  const [text, setText] = useState('')
  const [searched] = useDebouncedValue(text.trim(), 300)
  const { data, error } = useWingetSearch(searched)
  return (
    <Stack gap="sm">
      <TextInput
        data-autofocus
        label={texts.search}
        description={texts.searchHint}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        spellCheck={false}
        autoComplete="off"
      />
      <ProblemAlert error={error} isLoad />
      {data?.hasMirror === false && <Alert>{texts.noMirror}</Alert>}
      {data?.hasMirror && data.items.length === 0 && <Text size="sm">{texts.nothingFound}</Text>}
      {data && data.items.length > 0 && (
        <ul className={classes.list} aria-label={texts.results}>
          {data.items.map(({ identifier, latestVersion }) => (
            <li key={identifier}>
              <Button variant="subtle" size="compact-sm" onClick={() => onChoose(identifier)}>
                {texts.found(identifier, latestVersion)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {data?.isComplete === false && <Text size="sm">{texts.incomplete}</Text>}
    </Stack>
  )
}
