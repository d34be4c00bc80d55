import { EventEmitter } from "node:events";
import type { Clock, Task, TaskId, TaskState } from "./types";

/** How many tasks may be under way at once. */
const DEFAULT_LIMIT = 4;

export interface BoardOptions {
  limit?: number;
  clock: Clock;
  onError?: (error: unknown, task: Task) => void;
}

export class BoardError extends Error {
  constructor(
    message: string,
    readonly taskId: TaskId,
  ) {
    super(`${message} (task ${taskId})`);
    this.name = "BoardError";
  }
}

const NEXT: Record<TaskState, readonly TaskState[]> = {
  open: ["running", "dropped"],
  running: ["done", "failed"],
  failed: ["open", "dropped"],
  done: [],
  dropped: [],
};

export class Board extends EventEmitter {
  private readonly tasks = new Map<TaskId, Task>();
  private readonly limit: number;

  constructor(private readonly options: BoardOptions) {
    super();
    this.limit = options.limit ?? DEFAULT_LIMIT;
  }

  get running(): Task[] {
    return [...this.tasks.values()].filter((task) => task.state === "running");
  }

  add(title: string, dependsOn: TaskId[] = []): Task {
    const missing = dependsOn.filter((id) => !this.tasks.has(id));
    if (missing.length > 0) {
      throw new BoardError(`unknown dependencies: ${missing.join(", ")}`, missing[0]!);
    }
    const task: Task = {
      id: crypto.randomUUID() as TaskId,
      title: title.trim(),
      state: "open",
      dependsOn,
      createdAt: this.options.clock.now(),
      tries: 0,
    };
    this.tasks.set(task.id, task);
    this.emit("added", task);
    return task;
  }

  move(id: TaskId, state: TaskState): void {
    const task = this.tasks.get(id);
    if (!task) throw new BoardError("no such task", id);
    if (!NEXT[task.state].includes(state)) {
      throw new BoardError(`can not go from ${task.state} to ${state}`, id);
    }
    if (state === "running" && this.running.length >= this.limit) {
      throw new BoardError(`more than ${this.limit} tasks at once`, id);
    }
    const before = task.state;
    task.state = state;
    task.tries += state === "running" ? 1 : 0;
    this.emit("moved", { task, before });
  }

  /** Tasks that could begin now, the oldest first. */
  ready(): Task[] {
    const isDone = (id: TaskId) => this.tasks.get(id)?.state === "done";
    return [...this.tasks.values()]
      .filter((task) => task.state === "open" && task.dependsOn.every(isDone))
      .sort((a, b) => a.createdAt - b.createdAt);
  }

  async run(work: (task: Task) => Promise<void>): Promise<void> {
    for (let next = this.ready(); next.length > 0; next = this.ready()) {
      const batch = next.slice(0, this.limit);
      batch.forEach((task) => this.move(task.id, "running"));
      const outcomes = await Promise.allSettled(batch.map((task) => work(task)));
      outcomes.forEach((outcome, index) => {
        const task = batch[index]!;
        if (outcome.status === "fulfilled") {
          this.move(task.id, "done");
        } else {
          this.move(task.id, "failed");
          this.options.onError?.(outcome.reason, task);
        }
      });
    }
  }
}
