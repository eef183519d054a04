import { Input, type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { type Language, languageNames, useTexts, useTranslation } from '../texts/texts.tsx'

const languageChoices = Object.entries(languageNames).map(([value, label]) => ({ value: value as Language, label }))

export function ColourChoice() {
  const texts = useTexts()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { auto, light, dark } = texts.shell.schemes
  const data: { value: MantineColorScheme; label: string }[] = [
    { value: 'auto', label: auto },
    { value: 'light', label: light },
    { value: 'dark', label: dark },
  ]
  return (
    <Labelled label={texts.shell.colours}>
      {(id) => (
        <SegmentedControl
          aria-labelledby={id}
          size="xs"
          fullWidth
          data={data}
          value={colorScheme}
          onChange={setColorScheme}
        />
      )}
    </Labelled>
  )
}

export function LanguageChoice() {
  const texts = useTexts()
  const { language, choose } = useTranslation()
  return (
    <Labelled label={texts.shell.language}>
      {(id) => (
        <SegmentedControl
          aria-labelledby={id}
          size="xs"
          fullWidth
          data={languageChoices}
          value={language}
          onChange={(chosen) => void choose(chosen)}
        />
      )}
    </Labelled>
  )
}

function Labelled({ label, children }: { label: string; children: (labelId: string) => ReactNode }) {
  const id = useId()
  return (
    <Input.Wrapper label={label} labelElement="div" labelProps={{ id }}>
      {children(id)}
    </Input.Wrapper>
  )
}
