import { List, Text } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'

type NamedListProps = {
  title?: string
  items: readonly { id: string | number; text: string }[]
  /** How many there are, if not all of them are listed. */
  total?: number
}

const maxItems = 20

/** What a change is about, by name. Nothing if there is no item. */
export function NamedList({ title, items, total = items.length }: NamedListProps) {
  const { planned } = useTexts().actions
  if (items.length === 0) return null
  const shown = items.slice(0, maxItems)
  return (
    <div>
      {title && <Text size="sm">{title}</Text>}
      <List size="sm">
        {shown.map(({ id, text }) => (
          <List.Item key={id} className="breakable">
            {text}
          </List.Item>
        ))}
        {total > shown.length && <List.Item>{planned.andMore(total - shown.length)}</List.Item>}
      </List>
    </div>
  )
}
