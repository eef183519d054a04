import { Badge, Button, Checkbox, Popover, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { IconChevronDown } from '../../components/icons.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './computers.module.css'

export type FacetOption = { value: string; label: string; count: number | undefined }

type FacetButtonProps = {
  label: string
  options: readonly FacetOption[]
  chosen: readonly string[]
  onToggle: (value: string) => void
  /** Called when somebody looks at the options. */
  onOpen?: () => void
  /** Finds options that are not among the given ones. */
  onFind?: (text: string) => void
  /** Shown before the options. */
  children?: ReactNode
}

/** More options than this are searched instead of read. */
const manyOptions = 8

/** Filters the list by the values of one property. Each value shows how many computers it would list. */
export function FacetButton({ label, options, chosen, onToggle, onOpen, onFind, children }: FacetButtonProps) {
  const { computers: texts } = useTexts()
  const [find, setFind] = useState('')
  const found = options.filter((option) => option.label.toLowerCase().includes(find.trim().toLowerCase()))
  return (
    <Popover position="bottom-start" shadow="md" width={320} trapFocus {...(onOpen && { onOpen })}>
      <Popover.Target>
        <Button
          variant="default"
          size="compact-sm"
          fw={500}
          rightSection={
            chosen.length > 0 ? (
              <Badge size="sm" circle variant="filled">
                {chosen.length}
              </Badge>
            ) : (
              <IconChevronDown size={14} aria-hidden />
            )
          }
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={label}>
        {children}
        {(onFind || options.length > manyOptions) && (
          <TextInput
            size="xs"
            mb="xs"
            type="search"
            aria-label={texts.findValue(label)}
            placeholder={texts.findValue(label)}
            value={find}
            onChange={(event) => {
              setFind(event.currentTarget.value)
              onFind?.(event.currentTarget.value)
            }}
          />
        )}
        <ScrollArea.Autosize mah={320} type="auto" offsetScrollbars viewportProps={{ tabIndex: -1 }}>
          <Stack gap={0}>
            {found.map((option) => (
              <Option key={option.value} option={option} isChosen={chosen.includes(option.value)} onToggle={onToggle} />
            ))}
            {found.length === 0 && (
              <Text size="sm" c="dimmed" p={6}>
                {texts.noValue}
              </Text>
            )}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}

type OptionProps = { option: FacetOption; isChosen: boolean; onToggle: (value: string) => void }

function Option({ option: { value, label, count }, isChosen, onToggle }: OptionProps) {
  const { computers: texts } = useTexts()
  const format = useFormat()
  return (
    <Checkbox
      size="xs"
      className={classes.option}
      classNames={{ body: classes.optionBody ?? '', labelWrapper: classes.optionLabel ?? '' }}
      checked={isChosen}
      onChange={() => onToggle(value)}
      aria-label={count === undefined ? label : texts.valueWithCount(label, count)}
      label={
        <span className={classes.optionText}>
          <span className={classes.optionName} title={label}>
            {label}
          </span>
          {count !== undefined && <span className={classes.optionCount}>{format.number(count)}</span>}
        </span>
      }
    />
  )
}
