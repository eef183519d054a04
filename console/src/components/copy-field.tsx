import { Button, Group, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { copyText } from './copy-text.ts'
import { IconCheck, IconCopy } from './icons.ts'

export function CopyField({ label, value }: { label: string; value: string }) {
  const { common } = useTexts()
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => setIsCopied(await copyText(value, field.current))
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        ref={field}
        flex={1}
        label={label}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Button
        variant="light"
        onClick={() => void copy()}
        aria-label={`${isCopied ? common.copied : common.copy}: ${label}`}
        leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      >
        <span aria-live="polite">{isCopied ? common.copied : common.copy}</span>
      </Button>
    </Group>
  )
}
