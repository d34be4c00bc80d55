/* A ring of bytes between one writer and one reader, without locks. */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RING_MIN_SIZE 64u
#define RING_MAX_SIZE (1u << 30)

struct ring {
	uint8_t *bytes;
	size_t mask;
	_Atomic size_t head; /* where the writer goes on */
	_Atomic size_t tail; /* where the reader goes on */
	_Atomic bool closed;
};

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Makes a ring; the size is rounded up to a power of two. Returns 0, or an errno. */
int ring_init(struct ring *ring, size_t size)
{
	size_t rounded = RING_MIN_SIZE;

	if (ring == NULL || size > RING_MAX_SIZE)
		return EINVAL;
	while (rounded < size)
		rounded <<= 1;
	ring->bytes = malloc(rounded);
	if (ring->bytes == NULL)
		return ENOMEM;
	ring->mask = rounded - 1;
	atomic_init(&ring->head, 0);
	atomic_init(&ring->tail, 0);
	atomic_init(&ring->closed, false);
	return 0;
}

void ring_free(struct ring *ring)
{
	free(ring->bytes);
	memset(ring, 0, sizeof(*ring));
}

/* Copies in what fits and returns how much that was; 0 when the ring is full or closed. */
size_t ring_write(struct ring *ring, const void *from, size_t count)
{
	size_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	size_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
	size_t room = ring->mask + 1 - (head - tail);
	size_t first;

	if (atomic_load_explicit(&ring->closed, memory_order_acquire))
		return 0;
	count = min_size(count, room);
	first = min_size(count, ring->mask + 1 - (head & ring->mask));
	memcpy(ring->bytes + (head & ring->mask), from, first);
	memcpy(ring->bytes, (const uint8_t *)from + first, count - first);
	atomic_store_explicit(&ring->head, head + count, memory_order_release);
	return count;
}

/* The same in the other direction. */
size_t ring_read(struct ring *ring, void *to, size_t count)
{
	size_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	size_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
	size_t first;

	count = min_size(count, head - tail);
	first = min_size(count, ring->mask + 1 - (tail & ring->mask));
	memcpy(to, ring->bytes + (tail & ring->mask), first);
	memcpy((uint8_t *)to + first, ring->bytes, count - first);
	atomic_store_explicit(&ring->tail, tail + count, memory_order_release);
	return count;
}

int main(void)
{
	struct ring ring;
	char text[] = "0123456789abcdef", back[sizeof(text)] = { 0 };

	if (ring_init(&ring, 100) != 0)
		return EXIT_FAILURE;
	for (int round = 0; round < 1000; round++) {
		if (ring_write(&ring, text, sizeof(text)) != sizeof(text) ||
		    ring_read(&ring, back, sizeof(back)) != sizeof(back) ||
		    strcmp(text, back) != 0)
			return EXIT_FAILURE;
	}
	ring_free(&ring);
	return EXIT_SUCCESS;
}
