import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useId, useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { copyText } from './copy-text.ts'
import { IconCheck, IconCopy } from './icons.ts'

/** Commands of several lines, with a button that copies them. */
export function CopyBlock({ label, value }: { label: string; value: string }) {
  const { common } = useTexts()
  const id = useId()
  const [copied, setCopied] = useState<string>()
  const isCopied = copied === value
  return (
    <Stack gap={6}>
      <Group justify="space-between" align="flex-end" gap="xs">
        <Text size="sm" fw={500} id={id}>
          {label}
        </Text>
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => void copyText(value).then((isDone) => setCopied(isDone ? value : undefined))}
          aria-label={`${isCopied ? common.copied : common.copy}: ${label}`}
          leftSection={isCopied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        >
          <span aria-live="polite">{isCopied ? common.copied : common.copy}</span>
        </Button>
      </Group>
      <Code block className="wrapped" tabIndex={0} role="group" aria-labelledby={id}>
        {value}
      </Code>
    </Stack>
  )
}
