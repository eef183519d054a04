import { Group, Stack, Text, Title } from '@mantine/core'
import { visibleLine } from '@muster/text'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useTexts } from '../texts/texts.tsx'

type PageProps = {
  title: string
  intro?: ReactNode
  actions?: ReactNode
  /** What identifies the page, if parts of its address change within it, such as its tab. Its path unless given. */
  identity?: string
  children: ReactNode
}

/** The common layout of pages. It sets the window title and moves the focus to the heading when the page changes. */
export function Page({ title, intro, actions, identity, children }: PageProps) {
  const texts = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  const { key, pathname } = useLocation()
  const isFirstPage = key === 'default'
  const shown = identity ?? pathname
  useEffect(() => {
    document.title = visibleLine(`${title} · ${texts.shell.product}`)
  }, [title, texts])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves with the page only
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus()
  }, [shown])
  return (
    <Stack gap="md" maw={1280}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Title order={1} ref={heading} tabIndex={-1} className="breakable">
            {title}
          </Title>
          {intro && (
            <Text c="dimmed" size="sm" component="div">
              {intro}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}
