"""The machine code of worker threads: how they wait for tile blocks, take them, and how a launch waits for them.

Workers run it without Python's lock, so that a launch reaches them in less than a microsecond. Each worker has a
*word* with its state; all changes compare first, so there is no lock:

- `AWAKE`: the worker has nothing to do, and looks at its word again and again;
- `ASLEEP`: it has nothing to do, and sleeps in the kernel of the system until it is woken;
- the address of a job: a launch has offered it, and takes the offer back if the worker is not there in time;
- that address + `RUNS`: the worker runs tile blocks of the job, whose memory has to stay until it no longer does;
- that address + `RUNS` + `WAITED_FOR`: the launch sleeps until the word changes, and has to be woken;
- `LEAVES`: the worker is to come back to Python; `ABSENT`: there is no worker.

Threads sleep by Linux's `futex`, so there is code for Linux on x86-64 and aarch64 only.
"""

from __future__ import annotations

import os
import sys

from tilewright.ir.support.record import Record
from tilewright.runtime.context import ATTENTION, PAUSE

MACHINES = {
    "x86_64": (202, "@llvm.x86.sse2.pause()", "@llvm.x86.sse2.pause()"),
    "aarch64": (98, "@llvm.aarch64.isb(i32)", "@llvm.aarch64.isb(i32 15)"),
}
"""By machine, Linux's number of `futex`, and the instruction that a loop pauses with: its declaration, its call."""
AWAKE, RUNS, ASLEEP, WAITED_FOR, ABSENT, LEAVES = 0, 1, 2, 2, 4, 8
"""The values of a worker's word, as the module's docstring defines them.

The address of a job is a multiple of `LINE`.
"""
LINE = 64
APART = 128
"""Bytes from one worker's word to the next: processors fetch cache lines in pairs."""
WORKERS = 1024
"""The maximum number of workers."""
PRESENT, CLOSED = 0, 8
"""Offsets in a pool of how many workers have come, and of whether they are to leave.  Their words follow at `APART`."""
POOL_BYTES = APART * (1 + WORKERS)


class JobField:
    """Offsets in a job; each field has 64 bits.

    ``COUNT`` is the number of tile blocks that workers pass to the function, ``OWN_COUNT`` the number that
    the launching thread passes. ``WANTED`` workers get the job, sleeping ones only if ``WAKES`` is not 0;
    ``LACKING`` is the number of workers that were missing. ``TAKEN`` workers have begun; each has ``STRIDE``
    bytes of ``SCRATCH`` of its own.
    """

    POOL, FUNCTION, ARGUMENTS, GRID, CONTEXT, COUNT, WANTED, WAKES = range(0, 64, 8)
    SCRATCH, STRIDE, TAKEN, LACKING, OWN_COUNT, OWN_SCRATCH = range(64, 112, 8)


JOB_BYTES = 128


class Patience(Record, frozen=True):
    """Limits of busy waiting, in nanoseconds: ``worker`` is how long an idle worker tests its word before it
    sleeps, ``launch`` how long a launch tests the words of its workers. A sleeping launch returns to Python
    every ``interval``.

    After ``looks`` tests of the word a thread yields the processor. If other threads then run for longer than
    ``busy``, it goes to sleep.
    """

    worker: int = 500_000
    """How long a worker tests its word after the last tile block of a launch, before it sleeps."""
    launch: int = 200_000
    """How long a launch tests the words of workers that run its last tile blocks, before it sleeps."""
    busy: int = 50_000
    looks: int = 32
    """The number of looks at the word before a thread yields the processor."""
    interval: int = 50_000_000
    """The interval after which a sleeping launch returns to Python, where handlers of signals may have to run."""


TEXT = """
declare i64 @syscall(i64, ...)
declare i32 @sched_yield()
declare i32 @clock_gettime(i32, ptr)
declare void {pause_declaration}

define internal i64 @now() {{
  %time = alloca [2 x i64], align 8
  %failed = call i32 @clock_gettime(i32 1, ptr %time)
  %seconds = load i64, ptr %time
  %rest.place = getelementptr i64, ptr %time, i64 1
  %rest = load i64, ptr %rest.place
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %rest
  ret i64 %now
}}

define internal void @sleep(ptr %word, i64 %expected, ptr %timeout) {{ ; until it changes, or for no reason
  %low = and i64 %expected, 4294967295
  %done = call i64 (i64, ...) @syscall(i64 {futex}, ptr %word, i64 128, i64 %low, ptr %timeout, ptr null, i64 0)
  ret void
}}

define internal void @wake(ptr %word) {{
  %done = call i64 (i64, ...) @syscall(i64 {futex}, ptr %word, i64 129, i64 1, ptr null, ptr null, i64 0)
  ret void
}}

define internal i1 @changes(ptr %word, i64 %expected, i64 %limit) {{ ; whether it does so in time, as long as others do not need the processor
entry:
  %begin = call i64 @now()
  br label %round
round:
  %last = phi i64 [ %begin, %entry ], [ %time, %still ]
  br label %look
look:
  %looks = phi i32 [ 0, %round ], [ %looks.next, %pause ]
  %value = load atomic i64, ptr %word acquire, align 8
  %is.same = icmp eq i64 %value, %expected
  br i1 %is.same, label %pause, label %changed
pause:
  call void {pause}
  %looks.next = add i32 %looks, 1
  %is.more = icmp ult i32 %looks.next, {looks}
  br i1 %is.more, label %look, label %yield
yield:
  %yielded = call i32 @sched_yield()
  %time = call i64 @now()
  %away = sub i64 %time, %last
  %spent = sub i64 %time, %begin
  %is.busy = icmp ugt i64 %away, {busy}
  %is.late = icmp ugt i64 %spent, %limit
  %is.over = or i1 %is.busy, %is.late
  br i1 %is.over, label %same, label %still
still:
  br label %round
changed:
  ret i1 1
same:
  ret i1 0
}}

define internal i64 @present(ptr %pool) {{
  %come = load atomic i64, ptr %pool acquire, align 8
  %is.some = icmp ult i64 %come, {workers}
  %present = select i1 %is.some, i64 %come, i64 {workers}
  ret i64 %present
}}

define internal ptr @word(ptr %pool, i64 %number) {{
  %behind = add i64 %number, 1
  %offset = mul i64 %behind, {apart}
  %word = getelementptr i8, ptr %pool, i64 %offset
  ret ptr %word
}}

define void @work(ptr %pool) {{
entry:
  %number = atomicrmw add ptr %pool, i64 1 seq_cst
  %fits = icmp ult i64 %number, {workers}
  %closed.place = getelementptr i8, ptr %pool, i64 {closed}
  br i1 %fits, label %come, label %gone
come:
  %word = call ptr @word(ptr %pool, i64 %number)
  %before = atomicrmw xchg ptr %word, i64 {awake} seq_cst
  br label %idle
idle:
  %closed = load atomic i64, ptr %closed.place seq_cst, align 8
  %is.closed = icmp ne i64 %closed, 0
  br i1 %is.closed, label %leave, label %await
await:
  %has.come = call i1 @changes(ptr %word, i64 {awake}, i64 {worker_patience})
  br i1 %has.come, label %look, label %park
park:
  %parked = cmpxchg ptr %word, i64 {awake}, i64 {asleep} seq_cst seq_cst
  %is.parked = extractvalue {{ i64, i1 }} %parked, 1
  br i1 %is.parked, label %rest, label %look
rest:
  call void @sleep(ptr %word, i64 {asleep}, ptr null)
  %resting = load atomic i64, ptr %word seq_cst, align 8
  %is.resting = icmp eq i64 %resting, {asleep}
  br i1 %is.resting, label %rest, label %look
look:
  %state = load atomic i64, ptr %word seq_cst, align 8
  switch i64 %state, label %offered [ i64 {awake}, label %idle
                                      i64 {leaves}, label %leave ]
offered:
  %running = or i64 %state, {runs}
  %taken = cmpxchg ptr %word, i64 %state, i64 %running seq_cst seq_cst
  %is.taken = extractvalue {{ i64, i1 }} %taken, 1
  br i1 %is.taken, label %run, label %look
run:
  %job = inttoptr i64 %state to ptr
  %seats = getelementptr i8, ptr %job, i64 {TAKEN}
  %seat = atomicrmw add ptr %seats, i64 1 monotonic
  %count.place = getelementptr i8, ptr %job, i64 {COUNT}
  %count = load i64, ptr %count.place
  %scratch.place = getelementptr i8, ptr %job, i64 {SCRATCH}
  %scratches = load ptr, ptr %scratch.place
  %stride.place = getelementptr i8, ptr %job, i64 {STRIDE}
  %stride = load i64, ptr %stride.place
  %distance = mul i64 %seat, %stride
  %scratch = getelementptr i8, ptr %scratches, i64 %distance
  call void @run(ptr %job, i64 %count, ptr %scratch)
  %last = atomicrmw xchg ptr %word, i64 {awake} seq_cst
  %waited = and i64 %last, {waited_for}
  %is.waited = icmp ne i64 %waited, 0
  br i1 %is.waited, label %tell, label %idle
tell:
  call void @wake(ptr %word)
  br label %idle
leave:
  store atomic i64 {absent}, ptr %word seq_cst, align 8
  br label %gone
gone:
  ret void
}}

define internal void @run(ptr %job, i64 %count, ptr %scratch) {{
  %function.place = getelementptr i8, ptr %job, i64 {FUNCTION}
  %function = load ptr, ptr %function.place
  %arguments.place = getelementptr i8, ptr %job, i64 {ARGUMENTS}
  %arguments = load ptr, ptr %arguments.place
  %grid.place = getelementptr i8, ptr %job, i64 {GRID}
  %grid = load ptr, ptr %grid.place
  %context.place = getelementptr i8, ptr %job, i64 {CONTEXT}
  %context = load ptr, ptr %context.place
  call void %function(ptr %arguments, ptr %grid, ptr %context, i64 %count, ptr %scratch)
  ret void
}}

define internal i64 @offer(ptr %job, i64 %wanted, i64 %idle) {{ ; to workers that are idle in this way; how many are still wanted
entry:
  %pool = load ptr, ptr %job
  %present = call i64 @present(ptr %pool)
  %address = ptrtoint ptr %job to i64
  br label %each
each:
  %number = phi i64 [ 0, %entry ], [ %next, %further ]
  %left = phi i64 [ %wanted, %entry ], [ %left.next, %further ]
  %is.one = icmp ult i64 %number, %present
  %is.wanted = icmp ne i64 %left, 0
  %goes.on = and i1 %is.one, %is.wanted
  br i1 %goes.on, label %look, label %done
look:
  %word = call ptr @word(ptr %pool, i64 %number)
  %state = load atomic i64, ptr %word monotonic, align 8
  %is.idle = icmp eq i64 %state, %idle
  br i1 %is.idle, label %try, label %further
try:
  %tried = cmpxchg ptr %word, i64 %idle, i64 %address seq_cst seq_cst
  %is.given = extractvalue {{ i64, i1 }} %tried, 1
  br i1 %is.given, label %given, label %further
given:
  %fewer = sub i64 %left, 1
  %is.asleep = icmp eq i64 %idle, {asleep}
  br i1 %is.asleep, label %rouse, label %further
rouse:
  call void @wake(ptr %word)
  br label %further
further:
  %left.next = phi i64 [ %left, %look ], [ %left, %try ], [ %fewer, %given ], [ %fewer, %rouse ]
  %next = add i64 %number, 1
  br label %each
done:
  ret i64 %left
}}

define i64 @launch(ptr %job) {{ ; as finish, after work on this thread, too
entry:
  %wanted.place = getelementptr i8, ptr %job, i64 {WANTED}
  %wanted = load i64, ptr %wanted.place
  %wakes.place = getelementptr i8, ptr %job, i64 {WAKES}
  %wakes = load i64, ptr %wakes.place
  %lacking.place = getelementptr i8, ptr %job, i64 {LACKING}
  %left = call i64 @offer(ptr %job, i64 %wanted, i64 {awake})
  store i64 0, ptr %lacking.place
  %may.wake = icmp ne i64 %wakes, 0
  br i1 %may.wake, label %rouse, label %work
rouse:
  %lacking = call i64 @offer(ptr %job, i64 %left, i64 {asleep})
  store i64 %lacking, ptr %lacking.place
  br label %work
work:
  %count.place = getelementptr i8, ptr %job, i64 {OWN_COUNT}
  %count = load i64, ptr %count.place
  %scratch.place = getelementptr i8, ptr %job, i64 {OWN_SCRATCH}
  %scratch = load ptr, ptr %scratch.place
  call void @run(ptr %job, i64 %count, ptr %scratch)
  %context.place = getelementptr i8, ptr %job, i64 {CONTEXT}
  %context = load ptr, ptr %context.place
  %attention.place = getelementptr i8, ptr %context, i64 {attention}
  %attention = load atomic i64, ptr %attention.place monotonic, align 8
  %is.paused = icmp eq i64 %attention, {pause_wanted}
  br i1 %is.paused, label %paused, label %finish
paused:
  ret i64 1
finish:
  %remaining = call i64 @finish(ptr %job)
  ret i64 %remaining
}}

define i64 @finish(ptr %job) {{ ; take back what was offered, wait for those who work: 1 if that took too long, else 0
entry:
  %interval = alloca [2 x i64], align 8
  %rest.place = getelementptr i64, ptr %interval, i64 1
  store i64 0, ptr %interval
  store i64 {interval}, ptr %rest.place
  %pool = load ptr, ptr %job
  %present = call i64 @present(ptr %pool)
  %offered = ptrtoint ptr %job to i64
  %running = or i64 %offered, {runs}
  %waited = or i64 %running, {waited_for}
  br label %each
each:
  %number = phi i64 [ 0, %entry ], [ %next, %further ]
  %is.one = icmp ult i64 %number, %present
  br i1 %is.one, label %look, label %done
look:
  %word = call ptr @word(ptr %pool, i64 %number)
  %state = load atomic i64, ptr %word acquire, align 8
  %kept = and i64 %state, -4
  %is.ours = icmp eq i64 %kept, %offered
  br i1 %is.ours, label %take, label %further
take:
  %back = cmpxchg ptr %word, i64 %offered, i64 {awake} seq_cst seq_cst
  %is.back = extractvalue {{ i64, i1 }} %back, 1
  br i1 %is.back, label %further, label %await
await:
  %has.ended = call i1 @changes(ptr %word, i64 %running, i64 {launch_patience})
  br i1 %has.ended, label %ended, label %mark
ended: ; unless it was marked before
  %now = load atomic i64, ptr %word acquire, align 8
  %is.marked = icmp eq i64 %now, %waited
  br i1 %is.marked, label %rest, label %further
mark:
  %marked = cmpxchg ptr %word, i64 %running, i64 %waited seq_cst seq_cst
  %is.new = extractvalue {{ i64, i1 }} %marked, 1
  br i1 %is.new, label %rest, label %further
rest:
  call void @sleep(ptr %word, i64 %waited, ptr %interval)
  %after = load atomic i64, ptr %word seq_cst, align 8
  %is.still = icmp eq i64 %after, %waited
  br i1 %is.still, label %late, label %further
late:
  ret i64 1
further:
  %next = add i64 %number, 1
  br label %each
done:
  ret i64 0
}}

define void @close(ptr %pool) {{ ; workers leave, those at work when they are done
entry:
  %closed.place = getelementptr i8, ptr %pool, i64 {closed}
  store atomic i64 1, ptr %closed.place seq_cst, align 8
  %present = call i64 @present(ptr %pool)
  br label %each
each:
  %number = phi i64 [ 0, %entry ], [ %next, %further ]
  %is.one = icmp ult i64 %number, %present
  br i1 %is.one, label %look, label %done
look:
  %word = call ptr @word(ptr %pool, i64 %number)
  %awake = cmpxchg ptr %word, i64 {awake}, i64 {leaves} seq_cst seq_cst
  %was.awake = extractvalue {{ i64, i1 }} %awake, 1
  br i1 %was.awake, label %further, label %rouse
rouse:
  %asleep = cmpxchg ptr %word, i64 {asleep}, i64 {leaves} seq_cst seq_cst
  %was.asleep = extractvalue {{ i64, i1 }} %asleep, 1
  br i1 %was.asleep, label %call, label %further
call:
  call void @wake(ptr %word)
  br label %further
further:
  %next = add i64 %number, 1
  br label %each
done:
  ret void
}}
"""


def machine() -> str | None:
    """Return the name of the machine that this process runs on, a key of `MACHINES`; None if there is no code
    for it.
    """
    if sys.platform != "linux":
        return None
    name = os.uname().machine  # as `platform.machine`, which takes longer to import than this whole package
    return name if name in MACHINES else None


def text(machine: str, patience: Patience) -> str:
    """Return the LLVM IR of the workers' functions for a machine, with these limits of busy waiting."""
    futex, declaration, pause = MACHINES[machine]
    fields = {name: offset for name, offset in vars(JobField).items() if name.isupper()}
    return TEXT.format(
        futex=futex,
        pause_declaration=declaration,
        pause=pause,
        looks=patience.looks,
        busy=patience.busy,
        worker_patience=patience.worker,
        launch_patience=patience.launch,
        interval=patience.interval,
        workers=WORKERS,
        apart=APART,
        closed=CLOSED,
        awake=AWAKE,
        asleep=ASLEEP,
        runs=RUNS,
        waited_for=WAITED_FOR,
        absent=ABSENT,
        leaves=LEAVES,
        attention=ATTENTION,
        pause_wanted=PAUSE,
        **fields,
    )
